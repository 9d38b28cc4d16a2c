#include "converter/lower/boxes.h"

#include "converter/ir/dims.h"

namespace micrort::lower {

namespace {

std::vector<ir::ValueId> Suppress(ir::Builder& build, ir::ValueId boxes, ir::ValueId scores,
                                  const std::vector<ir::ValueId>& limits, size_t outputs) {
  std::vector<ir::ValueId> inputs = {build.InsertDim(boxes, 0)};
  inputs.push_back(build.InsertDim(build.InsertDim(scores, 0), 0));
  inputs.insert(inputs.end(), limits.begin(), limits.end());
  return build.AddMany(schema::NonMaxSuppressionOptionsT(), std::move(inputs), outputs);
}

ir::ValueId BoxesOf(ir::Builder& build, ir::ValueId rows) {
  constexpr int kBoxColumn = 2;
  return build.PickAt(rows, 1, kBoxColumn);
}

}  // namespace

ir::ValueId KeptBoxes(ir::Builder& build, ir::ValueId boxes, ir::ValueId scores,
                      const std::vector<ir::ValueId>& limits) {
  return BoxesOf(build, Suppress(build, boxes, scores, limits, 1)[0]);
}

SoftlyKept SoftlyKeptBoxes(ir::Builder& build, ir::ValueId boxes, ir::ValueId scores,
                           const std::vector<ir::ValueId>& limits) {
  const std::vector<ir::ValueId> kept = Suppress(build, boxes, scores, limits, 2);
  return {BoxesOf(build, kept[0]), kept[1]};
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
