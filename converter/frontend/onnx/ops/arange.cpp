#include "converter/frontend/onnx/ops/arange.h"

namespace micrort::frontend {

ir::ValueId ScalarAt(NodeContext& c, ir::ValueId vector, int64_t i) {
  return c.build.Gather(vector, c.build.Constant<int64_t>({}, {i}), 0);
}

// The line from 0 to 1 in `count` steps, times count - 1; rounding makes it exact up to 2^22.
ir::ValueId Arange(NodeContext& c, ir::ValueId count) {
  using schema::BinaryKind;
  schema::ResizeOptionsT line;
  line.mode = schema::ResizeMode::Linear;
  line.coordinates = schema::CoordinateMode::AlignCorners;
  const ir::ValueId sizes = c.build.Cast(c.build.Reshape(count, {1}), DType::kInt64);
  const ir::ValueId ends = c.build.Constant<float>({2}, {0, 1});
  const ir::ValueId steps = c.build.Add(std::move(line), {ends, ir::kNoValue, ir::kNoValue, sizes});
  const ir::ValueId last =
      c.build.Cast(c.build.Binary(BinaryKind::Sub, sizes, c.build.Integers({1})), DType::kFloat32);
  const ir::ValueId exact =
      c.build.Unary(schema::UnaryKind::Round, c.build.Binary(BinaryKind::Mul, steps, last));
  return c.build.Cast(exact, c.value(count).dtype);
}

}  // namespace micrort::frontend
