#pragma once
// Python's slices.

#include <algorithm>
#include <cstdint>

#include "kernels/base/checked_math.h"

namespace micrort {

// The first index, the step and the number of indices that a slice gives on a dimension.
struct SliceRange {
  int64_t first, step, count;
};

// `step` is not 0.
inline SliceRange ResolveSlice(int64_t start, int64_t end, int64_t step, int64_t dim) {
  // A longer step than this reaches no second element; shortening it keeps sums in range.
  step = std::clamp(step, -dim - 1, dim + 1);
  const int64_t lowest = step > 0 ? 0 : -1;
  const int64_t highest = step > 0 ? dim : dim - 1;
  start = std::clamp(start < 0 ? start + dim : start, lowest, highest);
  end = std::clamp(end < 0 ? end + dim : end, lowest, highest);
  const int64_t distance = step > 0 ? end - start : start - end;
  const int64_t stride = step > 0 ? step : -step;
  return {start, step, distance <= 0 ? 0 : CeilDiv(distance, stride)};
}

}  // namespace micrort
