#pragma once
// Parts of a sound at another rate, so that a long one is never there as a whole.

#include <cstdint>
#include <vector>

#include "kernels/base/span.h"

namespace micrort::text {

// How many samples the sound has at the rate `to`.
int64_t ResampledCount(size_t samples, int from, int to);
// Samples [first, first + count) of what Resample() gives. Both rates are in its range.
std::vector<float> ResampleRange(Span<const float> samples, int from, int to, int64_t first, int64_t count);

}  // namespace micrort::text
