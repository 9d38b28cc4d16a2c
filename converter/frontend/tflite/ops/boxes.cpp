#include "converter/frontend/tflite/ops/boxes.h"

namespace micrort::frontend::tflite {

ir::ValueId KeptBoxes(OpContext& c, ir::ValueId boxes, ir::ValueId scores, int64_t most, ir::ValueId iou,
                      ir::ValueId least_score) {
  const ir::ValueId batch = ir::InsertDim(c.build, boxes, 0);
  const ir::ValueId of_class = ir::InsertDim(c.build, ir::InsertDim(c.build, scores, 0), 0);
  const ir::ValueId kept =
      c.build.Add(schema::NonMaxSuppressionOptionsT(),
                  {batch, of_class, c.build.Constant<int64_t>({}, {most}), iou, least_score});
  constexpr int kBoxColumn = 2;
  return ir::PickAt(c.build, kept, 1, kBoxColumn);
}

ir::ValueId FilledUp(OpContext& c, ir::ValueId x, int64_t size) {
  schema::ShapeOptionsT rest;
  rest.start = 1;
  ir::ValueId shape = c.build.Integers({size});
  if (c.value(x).rank() > 1) shape = c.build.Concat({shape, c.build.Add(std::move(rest), {x})}, 0);
  const ir::ValueId zeros = c.build.Add(schema::ExpandOptionsT(), {c.Scalar(c.value(x).dtype, 0), shape});
  return c.build.Slice(c.build.Concat({x, zeros}, 0), 0, 0, size);
}

}  // namespace micrort::frontend::tflite
