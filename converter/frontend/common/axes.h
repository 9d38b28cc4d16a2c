#pragma once
// Integers of source models, and axes, which may count from the end.

#include <cstdint>
#include <vector>

#include "kernels/base/status.h"

namespace micrort::frontend {

// The axis as an index from 0; kInvalidModel if it is not in [-rank, rank).
Result<int> NormalizeAxis(int64_t axis, int rank);
// The same for a list, in its order.
Result<std::vector<int32_t>> NormalizeAxes(const std::vector<int64_t>& axes, int rank);
// The same for a list, sorted and without duplicates.
Result<std::vector<int32_t>> SortedAxes(const std::vector<int64_t>& axes, int rank);
// kInvalidModel, naming the first axis that is in the list before.
Status CheckDistinct(const std::vector<int32_t>& axes);

// kInvalidModel, naming `what`, for a number that 32 bits do not hold.
Result<int32_t> ToInt32(int64_t v, const char* what);

// a * b; where 64 bits do not hold it the largest number, which ToInt32 refuses. For sizes, which are not
// negative.
int64_t SaturatedProduct(int64_t a, int64_t b);

}  // namespace micrort::frontend
