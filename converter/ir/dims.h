#pragma once
// Lists of axes.

#include <vector>

#include "converter/ir/build.h"

namespace micrort::ir {

// The permutation that takes back what this one does.
template <typename T>
std::vector<T> InverseOf(const std::vector<T>& permutation) {
  std::vector<T> inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i)
    inverse[static_cast<size_t>(permutation[i])] = static_cast<T>(i);
  return inverse;
}
// first, first + 1 ... end - 1
std::vector<int32_t> AxesFrom(int first, int end);
// Those that are not among these, in ascending order.
std::vector<int32_t> OtherAxes(int rank, const std::vector<int32_t>& axes);
// The permutation that puts these axes before the others.
std::vector<int32_t> AxesFirst(int rank, const std::vector<int32_t>& axes);

// ReshapeOptions.shape that keeps the first `rank` dimensions.
std::vector<int32_t> CopiedDims(int rank);

}  // namespace micrort::ir
