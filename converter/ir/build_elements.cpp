#include <algorithm>
#include <limits>

#include "converter/ir/build.h"
#include "converter/ir/dims.h"

namespace micrort::ir {

ValueId Builder::SwapLastTwo(ValueId x) {
  std::vector<int32_t> permutation = AxesFrom(0, graph().value(x).rank());
  if (permutation.size() >= 2) std::swap(permutation[permutation.size() - 2], permutation.back());
  return Transpose(x, permutation);
}

ValueId Builder::InsertDim(ValueId x, int axis) {
  std::vector<int32_t> shape = CopiedDims(graph().value(x).rank());
  if (axis <= static_cast<int>(shape.size())) shape.insert(shape.begin() + axis, 1);
  return Reshape(x, shape);
}

ValueId Builder::DropDims(ValueId x, const std::vector<int32_t>& axes) {
  std::vector<int32_t> shape;
  for (int i = 0; i < graph().value(x).rank(); ++i) {
    if (!std::binary_search(axes.begin(), axes.end(), i)) shape.push_back(CopyDim(i));
  }
  return Reshape(x, shape);
}

ValueId Builder::PickAt(ValueId x, int axis, int64_t place) {
  return DropDim(Slice(x, axis, place, place + 1), axis);
}

ValueId Builder::DimOf(ValueId x, int axis) {
  schema::ShapeOptionsT options;
  options.start = axis;
  options.end = axis + 1;
  return Add(std::move(options), {x});
}

ValueId Builder::ReshapeTo(ValueId x, ValueId shape) {
  schema::ReshapeOptionsT options;
  options.allow_zero = true;
  return Add(std::move(options), {x, shape});
}

ValueId Builder::Along(ValueId x, int axis, int rank) {
  std::vector<int32_t> shape(static_cast<size_t>(rank), 1);
  shape[static_cast<size_t>(axis)] = kInferDim;
  return Reshape(x, shape);
}

std::vector<ValueId> Builder::TopK(ValueId x, ValueId k, int axis, bool largest) {
  schema::TopKOptionsT options;
  options.axis = axis;
  options.largest = largest;
  return AddMany(std::move(options), {x, k}, 2);
}

ValueId Builder::GatherND(std::vector<ValueId> inputs, int batch_dims) {
  schema::GatherNDOptionsT options;
  options.batch_dims = batch_dims;
  return Add(std::move(options), std::move(inputs));
}

ValueId Builder::GatherElements(std::vector<ValueId> inputs, int axis) {
  schema::GatherElementsOptionsT options;
  options.axis = axis;
  return Add(std::move(options), std::move(inputs));
}

ValueId Builder::ScatterND(std::vector<ValueId> inputs, schema::ScatterReduction reduction) {
  schema::ScatterNDOptionsT options;
  options.reduction = reduction;
  return Add(std::move(options), std::move(inputs));
}

ValueId Builder::ScatterElements(std::vector<ValueId> inputs, int axis, schema::ScatterReduction reduction) {
  schema::ScatterElementsOptionsT options;
  options.axis = axis;
  options.reduction = reduction;
  return Add(std::move(options), std::move(inputs));
}

ValueId Builder::MatMul(std::vector<ValueId> inputs, bool transpose_b) {
  schema::MatMulOptionsT options;
  options.transpose_b = transpose_b;
  return Add(std::move(options), std::move(inputs));
}

ValueId Builder::SliceSteps(ValueId x, int axis, int64_t start, int64_t end, int64_t step) {
  schema::SliceOptionsT options;
  options.starts = {start};
  options.ends = {end};
  options.axes = {axis};
  options.steps = {step};
  return Add(std::move(options), {x});
}

ValueId Builder::Reversed(ValueId x, const std::vector<int32_t>& axes) {
  schema::SliceOptionsT options;
  options.axes = axes;
  options.starts.assign(axes.size(), -1);
  options.ends.assign(axes.size(), std::numeric_limits<int64_t>::min());
  options.steps.assign(axes.size(), -1);
  return Add(std::move(options), {x});
}

ValueId Builder::Padded(ValueId x, std::vector<int64_t> pads, float value) {
  schema::PadOptionsT options;
  options.pads = std::move(pads);
  options.value = value;
  return Add(std::move(options), {x});
}

ValueId Builder::PadDim(ValueId x, int axis, int64_t begin, int64_t end) {
  if (begin == 0 && end == 0) return x;
  const size_t rank = graph().value(x).shape.size(), at = static_cast<size_t>(axis);
  std::vector<int64_t> pads(2 * rank, 0);
  if (at < rank) pads[at] = begin, pads[rank + at] = end;
  return Padded(x, std::move(pads));
}

}  // namespace micrort::ir
