#include "kernels/layer_s16/epilogue_s16.h"

#include <algorithm>
#include <cmath>

#include "kernels/base/checked_math.h"
#include "kernels/base/fixed_point.h"
#include "kernels/base/memory.h"
#include "kernels/layer_s16/wide_multiplier.h"

namespace micrort {
namespace {

// The bias of an untrusted file may be anything; no sum of a layer comes near this.
constexpr int64_t kLargestBias = int64_t{1} << 46;

size_t ColumnBytes(const Conv2DParams& p, size_t element) {
  return AlignUp(static_cast<size_t>(p.out_c) * element, kAlignment);
}

FixedMultiplier MultiplierOf(const LayerTypes& types, const ConvWeights& weights, int64_t channel) {
  const float scale = weights.scales[channel * weights.scale_stride];
  const double product = types.float_product
                             ? static_cast<double>(types.x_scale * scale)
                             : static_cast<double>(types.x_scale) * static_cast<double>(scale);
  return NearestFixedMultiplier(product / static_cast<double>(types.y_scale));
}

// The integer that stands for a bound, halves away from zero.
int32_t Bound(float x, float scale) {
  return static_cast<int32_t>(
      std::clamp(std::round(x / scale), static_cast<float>(INT16_MIN), static_cast<float>(INT16_MAX)));
}

}  // namespace

ChannelTableS16::ChannelTableS16(const Conv2DParams& p, void* packed) {
  auto* bytes = static_cast<uint8_t*>(packed);
  bias = reinterpret_cast<int64_t*>(bytes);
  bytes += ColumnBytes(p, sizeof(int64_t));
  multipliers = reinterpret_cast<int32_t*>(bytes);
  shifts = reinterpret_cast<int32_t*>(bytes + ColumnBytes(p, sizeof(int32_t)));
}

size_t ChannelTableS16::Bytes(const Conv2DParams& p) {
  return ColumnBytes(p, sizeof(int64_t)) + 2 * ColumnBytes(p, sizeof(int32_t));
}

void ChannelTableS16::Fill(const Conv2DParams& p, const ConvWeights& weights) {
  for (int64_t o = 0; o < p.out_c; ++o) {
    FixedMultiplier by = MultiplierOf(p.types, weights, o);
    if (!p.types.narrow_sums) by = WideMultiplier(by);
    multipliers[o] = by.multiplier;
    shifts[o] = by.shift;
    bias[o] = 0;
    if (weights.bias != nullptr) bias[o] = weights.bias[o];
    if (weights.wide_bias != nullptr) bias[o] = std::clamp(weights.wide_bias[o], -kLargestBias, kLargestBias);
  }
}

EpilogueS16::EpilogueS16(const Conv2DParams& p, const void* packed)
    : table_(p, const_cast<void*>(packed)),
      narrow_(p.types.narrow_sums),
      lo_(Bound(p.types.activation.lo(), p.types.y_scale)),
      hi_(Bound(p.types.activation.hi(), p.types.y_scale)) {}

void EpilogueS16::Finish(const int64_t* sums, size_t n, int64_t column, int16_t* y) const {
  narrow_ ? Scale<true>(sums, n, column, y) : Scale<false>(sums, n, column, y);
}

template <bool kNarrow>
void EpilogueS16::Scale(const int64_t* sums, size_t n, int64_t column, int16_t* y) const {
  const int64_t* const bias = table_.bias + column;
  const int32_t *const multipliers = table_.multipliers + column, *const shifts = table_.shifts + column;
  const int32_t lo = lo_, hi = hi_;
  for (size_t j = 0; j < n; ++j) {
    const int64_t sum = sums[j] + bias[j];
    const FixedMultiplier by = {multipliers[j], shifts[j]};
    const int32_t value = kNarrow ? Multiply(static_cast<int32_t>(sum), by) : MultiplyWide(sum, by);
    y[j] = static_cast<int16_t>(std::max(std::min(value, hi), lo));
  }
}

}  // namespace micrort
