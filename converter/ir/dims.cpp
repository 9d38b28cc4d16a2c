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

ValueId SwapLastTwo(Builder& build, ValueId x) {
  std::vector<int32_t> permutation = AxesFrom(0, build.graph().value(x).rank());
  if (permutation.size() >= 2) std::swap(permutation[permutation.size() - 2], permutation.back());
  return build.Transpose(x, permutation);
}

std::vector<int32_t> CopiedDims(int rank) {
  std::vector<int32_t> shape;
  for (int i = 0; i < rank; ++i) shape.push_back(CopyDim(i));
  return shape;
}

ValueId InsertDim(Builder& build, ValueId x, int axis) {
  std::vector<int32_t> shape = CopiedDims(build.graph().value(x).rank());
  if (axis <= static_cast<int>(shape.size())) shape.insert(shape.begin() + axis, 1);
  return build.Reshape(x, shape);
}

ValueId DropDim(Builder& build, ValueId x, int axis) { return DropDims(build, x, {axis}); }

ValueId DropDims(Builder& build, ValueId x, const std::vector<int32_t>& axes) {
  std::vector<int32_t> shape;
  for (int i = 0; i < build.graph().value(x).rank(); ++i) {
    if (!std::binary_search(axes.begin(), axes.end(), i)) shape.push_back(CopyDim(i));
  }
  return build.Reshape(x, shape);
}

ValueId PickAt(Builder& build, ValueId x, int axis, int64_t place) {
  return DropDim(build, build.Slice(x, axis, place, place + 1), axis);
}

ValueId DimOf(Builder& build, ValueId x, int axis) {
  schema::ShapeOptionsT options;
  options.start = axis;
  options.end = axis + 1;
  return build.Add(std::move(options), {x});
}

}  // namespace micrort::ir
