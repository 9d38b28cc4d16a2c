#pragma once
// Dimensions of size 1 put in and taken out, and sizes of dimensions.

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

// x with its last two dimensions, if it has as many, in each other's place.
ValueId SwapLastTwo(Builder& build, ValueId x);

// ReshapeOptions.shape that keeps the first `rank` dimensions.
std::vector<int32_t> CopiedDims(int rank);

// x with a dimension of size 1 before dimension `axis`; axis may be the rank.
ValueId InsertDim(Builder& build, ValueId x, int axis);
// x without the dimension, which has size 1.
ValueId DropDim(Builder& build, ValueId x, int axis);
// x without these dimensions, sorted.
ValueId DropDims(Builder& build, ValueId x, const std::vector<int32_t>& axes);
// x at one place along the axis, without that dimension.
ValueId PickAt(Builder& build, ValueId x, int axis, int64_t place);
// Size of a dimension as int64 [1].
ValueId DimOf(Builder& build, ValueId x, int axis);

}  // namespace micrort::ir
