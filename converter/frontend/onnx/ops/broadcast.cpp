#include "converter/frontend/onnx/ops/broadcast.h"

namespace micrort::frontend::onnx {

Result<ir::ValueId> AlignSecondInput(NodeContext& c) {
  if (c.opset() >= 7) return c.input(1);
  const int64_t broadcast = c.Int("broadcast", 0);
  const int rank_a = c.x(0).rank();
  const int rank_b = c.x(1).rank();
  const int64_t default_axis = rank_a - rank_b;
  const int64_t axis = c.Int("axis", default_axis);
  if (broadcast == 0 || rank_b == 0 || axis == default_axis) return c.input(1);
  if (axis < 0 || axis > default_axis) return Invalid("broadcast axis {} of {} dimensions", axis, rank_a);
  std::vector<int32_t> shape;
  for (int i = 0; i < rank_b; ++i) shape.push_back(-2 - i);
  shape.resize(static_cast<size_t>(rank_a - axis), 1);
  return c.build.Reshape(c.input(1), shape);
}

ir::ValueId Chain(NodeContext& c, schema::BinaryKind kind) {
  ir::ValueId y = c.input(0);
  for (size_t i = 1; i < c.input_count(); ++i) y = c.build.Binary(kind, y, c.input(i));
  return y;
}

}  // namespace micrort::frontend::onnx
