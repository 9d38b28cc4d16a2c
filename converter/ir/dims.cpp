#include "converter/ir/dims.h"

#include <algorithm>

namespace micrort::ir {

std::vector<int32_t> AxesFrom(int first, int end) {
  std::vector<int32_t> axes;
  for (int i = first; i < end; ++i) axes.push_back(i);
  return axes;
}

std::vector<int32_t> OtherAxes(int rank, const std::vector<int32_t>& axes) {
  std::vector<int32_t> others;
  for (int i = 0; i < rank; ++i) {
    if (std::find(axes.begin(), axes.end(), i) == axes.end()) others.push_back(i);
  }
  return others;
}

std::vector<int32_t> AxesFirst(int rank, const std::vector<int32_t>& axes) {
  std::vector<int32_t> permutation = axes, others = OtherAxes(rank, axes);
  permutation.insert(permutation.end(), others.begin(), others.end());
  return permutation;
}

std::vector<int32_t> CopiedDims(int rank) {
  std::vector<int32_t> shape;
  for (int i = 0; i < rank; ++i) shape.push_back(CopyDim(i));
  return shape;
}

}  // namespace micrort::ir
