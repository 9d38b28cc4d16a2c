#include "converter/ir/elements.h"

#include <limits>

namespace micrort::ir {

ValueId GatherND(Builder& build, std::vector<ValueId> inputs, int batch_dims) {
  schema::GatherNDOptionsT options;
  options.batch_dims = batch_dims;
  return build.Add(std::move(options), std::move(inputs));
}

ValueId GatherElements(Builder& build, std::vector<ValueId> inputs, int axis) {
  schema::GatherElementsOptionsT options;
  options.axis = axis;
  return build.Add(std::move(options), std::move(inputs));
}

ValueId ScatterND(Builder& build, std::vector<ValueId> inputs, schema::ScatterReduction reduction) {
  schema::ScatterNDOptionsT options;
  options.reduction = reduction;
  return build.Add(std::move(options), std::move(inputs));
}

ValueId ScatterElements(Builder& build, std::vector<ValueId> inputs, int axis,
                        schema::ScatterReduction reduction) {
  schema::ScatterElementsOptionsT options;
  options.axis = axis;
  options.reduction = reduction;
  return build.Add(std::move(options), std::move(inputs));
}

ValueId MatMul(Builder& build, std::vector<ValueId> inputs, bool transpose_b) {
  schema::MatMulOptionsT options;
  options.transpose_b = transpose_b;
  return build.Add(std::move(options), std::move(inputs));
}

ValueId SliceSteps(Builder& build, ValueId x, int axis, int64_t start, int64_t end, int64_t step) {
  schema::SliceOptionsT options;
  options.starts = {start};
  options.ends = {end};
  options.axes = {axis};
  options.steps = {step};
  return build.Add(std::move(options), {x});
}

ValueId Reversed(Builder& build, ValueId x, const std::vector<int32_t>& axes) {
  schema::SliceOptionsT options;
  options.axes = axes;
  options.starts.assign(axes.size(), -1);
  options.ends.assign(axes.size(), std::numeric_limits<int64_t>::min());
  options.steps.assign(axes.size(), -1);
  return build.Add(std::move(options), {x});
}

ValueId Padded(Builder& build, ValueId x, std::vector<int64_t> pads, float value) {
  schema::PadOptionsT options;
  options.pads = std::move(pads);
  options.value = value;
  return build.Add(std::move(options), {x});
}

ValueId PadDim(Builder& build, ValueId x, int axis, int64_t begin, int64_t end) {
  if (begin == 0 && end == 0) return x;
  const size_t rank = build.graph().value(x).shape.size(), at = static_cast<size_t>(axis);
  std::vector<int64_t> pads(2 * rank, 0);
  if (at < rank) pads[at] = begin, pads[rank + at] = end;
  return Padded(build, x, std::move(pads));
}

}  // namespace micrort::ir
