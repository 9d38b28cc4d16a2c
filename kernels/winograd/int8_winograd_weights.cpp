#include "kernels/winograd/int8_winograd_weights.h"

#include <cstring>

#include "kernels/base/checked_math.h"

namespace micrort {
namespace {

constexpr size_t kInt8Taps = 3, kInt8Filter = kInt8Taps * kInt8Taps;
constexpr size_t kPoints = kWinogradS8Points;

// Channels whose filters are transformed side by side, in int16: no point is beyond 9 * 128.
constexpr size_t kInt8Channels = 16;
using Channels = int16_t[kInt8Channels];

// Twice the transform of three numbers of each channel, as far apart as the results.
template <size_t step>
void Transform(const Channels* __restrict g, Channels* __restrict out) {
  for (size_t c = 0; c < kInt8Channels; ++c) {
    const int g0 = g[0][c], g1 = g[step][c], g2 = g[2 * step][c];
    out[0][c] = static_cast<int16_t>(2 * g0);
    out[step][c] = static_cast<int16_t>(g0 + g1 + g2);
    out[2 * step][c] = static_cast<int16_t>(g0 - g1 + g2);
    out[3 * step][c] = static_cast<int16_t>(2 * g2);
  }
}

// The transforms of the filters of some channels of one column, [4][4].
void TransformFilters(const Channels (&filters)[kInt8Filter], Channels (&points)[kPoints]) {
  Channels rows[kWinogradS8Size * kInt8Taps];
  for (size_t i = 0; i < kInt8Taps; ++i) Transform<kInt8Taps>(filters + i, rows + i);
  for (size_t i = 0; i < kWinogradS8Size; ++i) {
    Transform<1>(rows + kInt8Taps * i, points + kWinogradS8Size * i);
  }
}

// Fills the first `count` channels of a tap.
void ReadTap(const int8_t* x, int64_t stride, size_t count, Channels& tap) {
  if (stride == 1 && count == kInt8Channels) {
    for (size_t c = 0; c < kInt8Channels; ++c) tap[c] = x[c];
    return;
  }
  for (size_t c = 0; c < count; ++c) tap[c] = x[static_cast<int64_t>(c) * stride];
}

// The sum of the first `count` channels.
int32_t SumOf(const Channels (&filters)[kInt8Filter], size_t count) {
  Channels of_channel = {};
  for (const Channels& tap : filters) {
    for (size_t c = 0; c < kInt8Channels; ++c) of_channel[c] = static_cast<int16_t>(of_channel[c] + tap[c]);
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
  if (count == kInt8Channels) {
    for (size_t c = 0; c < kInt8Channels; c += kr) std::memcpy(out + c * nr, point + c, kr * sizeof(int16_t));
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
  Channels filters[kInt8Filter] = {}, points[kPoints];
  for (size_t o = 0; o < columns; ++o) {
    const auto* column =
        static_cast<const int8_t*>(weights.data) + static_cast<int64_t>(o) * weights.column_stride;
    int16_t* const panel = out + o / nr * kPoints * panel_elements + o % nr * kr;
    sums[o] = 0;
    for (size_t c = 0; c < channels; c += kInt8Channels) {
      const size_t count = channels - c < kInt8Channels ? channels - c : kInt8Channels;
      for (size_t k = 0; k < kInt8Filter; ++k) {
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
