#include "converter/lower/boxes.h"

#include "converter/ir/dims.h"

namespace micrort::lower {

ir::ValueId KeptBoxes(ir::Builder& build, ir::ValueId boxes, ir::ValueId scores,
                      const std::vector<ir::ValueId>& limits) {
  constexpr int kBoxColumn = 2;
  std::vector<ir::ValueId> inputs = {build.InsertDim(boxes, 0)};
  inputs.push_back(build.InsertDim(build.InsertDim(scores, 0), 0));
  inputs.insert(inputs.end(), limits.begin(), limits.end());
  const ir::ValueId kept = build.Add(schema::NonMaxSuppressionOptionsT(), std::move(inputs));
  return build.PickAt(kept, 1, kBoxColumn);
}

ir::ValueId FilledUp(ir::Builder& build, ir::ValueId x, int64_t size) {
  schema::ShapeOptionsT rest;
  rest.start = 1;
  ir::ValueId shape = build.Integers({size});
  if (build.graph().value(x).rank() > 1) shape = build.Concat({shape, build.Add(std::move(rest), {x})}, 0);
  const DType dtype = build.graph().value(x).dtype;
  ir::ValueId zero = build.Scalar(0);
  if (dtype != DType::kFloat32) zero = build.Cast(zero, dtype);
  const ir::ValueId zeros = build.Expand({zero, shape});
  return build.Slice(build.Concat({x, zeros}, 0), 0, 0, size);
}

}  // namespace micrort::lower
