#pragma once
// Sums of products for a few channels at once, each in the order of a plain loop.

#include <cstddef>

namespace micrort::quantize {

constexpr size_t kChannelsAtOnce = 4;

// sums[c][j] += factors[c][i] * rows[i][j], for all channels, i in [0, depth) in turn and j in [0, n). One
// channel's factors or sums are `stride` elements after another's, one row `row_stride` after another.
void AddChannelProducts(const float* factors, const float* rows, size_t row_stride, size_t depth, size_t n,
                        size_t stride, float* sums);

}  // namespace micrort::quantize
