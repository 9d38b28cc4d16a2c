#include "kernels/winograd/int8_winograd_weights.h"

#include <cstring>

#include "kernels/base/checked_math.h"

namespace micrort {
namespace {

constexpr size_t kTaps = 3, kFilter = kTaps * kTaps;
constexpr size_t kPoints = kWinogradS8Points;

// Channels whose filters are transformed side by side, in int16: no point is beyond 9 * 128.
constexpr size_t kChannels = 16;
using Channels = int16_t[kChannels];

// Twice the transform of three numbers of each channel, as far apart as the results.
template <size_t step>
void Transform(const Channels* __restrict g, Channels* __restrict out) {
  for (size_t c = 0; c < kChannels; ++c) {
    const int g0 = g[0][c], g1 = g[step][c], g2 = g[2 * step][c];
    out[0][c] = static_cast<int16_t>(2 * g0);
    out[step][c] = static_cast<int16_t>(g0 + g1 + g2);
    out[2 * step][c] = static_cast<int16_t>(g0 - g1 + g2);
    out[3 * step][c] = static_cast<int16_t>(2 * g2);
  }
}

// The transforms of the filters of some channels of one column, [4][4].
void TransformFilters(const Channels (&filters)[kFilter], Channels (&points)[kPoints]) {
  Channels rows[kWinogradS8Size * kTaps];
  for (size_t i = 0; i < kTaps; ++i) Transform<kTaps>(filters + i, rows + i);
  for (size_t i = 0; i < kWinogradS8Size; ++i) {
    Transform<1>(rows + kTaps * i, points + kWinogradS8Size * i);
  }
}

// Fills the first `count` channels of a tap.
void ReadTap(const int8_t* x, int64_t stride, size_t count, Channels& tap) {
  if (stride == 1 && count == kChannels) {
    for (size_t c = 0; c < kChannels; ++c) tap[c] = x[c];
    return;
  }
  for (size_t c = 0; c < count; ++c) tap[c] = x[static_cast<int64_t>(c) * stride];
}

// Of the first `count` channels.
int32_t SumOf(const Channels (&filters)[kFilter], size_t count) {
  Channels of_channel = {};
  for (const Channels& tap : filters) {
    for (size_t c = 0; c < kChannels; ++c) of_channel[c] = static_cast<int16_t>(of_channel[c] + tap[c]);
  }
  int32_t sum = 0;
  for (size_t c = 0; c < count; ++c) sum += of_channel[c];
  return sum;
}

#define MICRORT_WINOGRAD_S8(name, set, mr, nr, kr) static_assert(kr == 1 || kr == 2, #name);
#include "kernels/winograd/winograd_s8.inc"
#undef MICRORT_WINOGRAD_S8

// One point of `count` channels into a panel, where kr channels lie side by side.
template <size_t kr>
void Spread(const Channels& point, size_t count, size_t nr, int16_t* out) {
  if (count == kChannels) {
    for (size_t c = 0; c < kChannels; c += kr) std::memcpy(out + c * nr, point + c, kr * sizeof(int16_t));
    return;
  }
  for (size_t c = 0; c < count; ++c) out[c / kr * kr * nr + c % kr] = point[c];
}

}  // namespace

void PackInt8WinogradWeights(const Conv2DParams& p, const ConvWeights& weights,
                             const WinogradS8Kernel& kernel, size_t depth, int16_t* out, int32_t* sums) {
  const size_t nr = kernel.nr, kr = kernel.kr;
  const auto columns = static_cast<size_t>(p.out_c), channels = static_cast<size_t>(p.in_c);
  const auto spread = kr == 1 ? Spread<1> : Spread<2>;
  const size_t panel_elements = depth * nr;  // at one point
  std::memset(out, 0, CeilDiv(columns, nr) * kPoints * panel_elements * sizeof(int16_t));
  Channels filters[kFilter] = {}, points[kPoints];
  for (size_t o = 0; o < columns; ++o) {
    const auto* column =
        static_cast<const int8_t*>(weights.data) + static_cast<int64_t>(o) * weights.column_stride;
    int16_t* const panel = out + o / nr * kPoints * panel_elements + o % nr * kr;
    sums[o] = 0;
    for (size_t c = 0; c < channels; c += kChannels) {
      const size_t count = channels - c < kChannels ? channels - c : kChannels;
      for (size_t k = 0; k < kFilter; ++k) {
        const auto at = static_cast<int64_t>(k * channels + c);
        ReadTap(column + at * weights.depth_stride, weights.depth_stride, count, filters[k]);
      }
      sums[o] += SumOf(filters, count);
      TransformFilters(filters, points);
      for (size_t i = 0; i < kPoints; ++i) spread(points[i], count, nr, panel + i * panel_elements + c * nr);
    }
  }
}

}  // namespace micrort
