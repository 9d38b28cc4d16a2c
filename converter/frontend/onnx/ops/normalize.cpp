#include "converter/frontend/onnx/ops/normalize.h"

namespace micrort::frontend::onnx {

using schema::ReduceKind;

ir::ValueId Deviation(NodeContext& c, ir::ValueId variance, float epsilon) {
  const ir::ValueId added = c.Scalar(c.value(variance).dtype, epsilon);
  return c.build.Sqrt(c.build.Add(variance, added));
}

Normalized Normalize(NodeContext& c, ir::ValueId x, const std::vector<int32_t>& axes, float epsilon) {
  const ir::ValueId mean = c.build.Reduce(ReduceKind::Mean, x, axes, true);
  Normalized n = NormalizeByMeanSquare(c, c.build.Sub(x, mean), axes, epsilon);
  n.mean = mean;
  return n;
}

Normalized NormalizeByMeanSquare(NodeContext& c, ir::ValueId x, const std::vector<int32_t>& axes,
                                 float epsilon) {
  Normalized n;
  const ir::ValueId squares = c.build.Mul(x, x);
  n.deviation = Deviation(c, c.build.Reduce(ReduceKind::Mean, squares, axes, true), epsilon);
  n.y = c.build.Div(x, n.deviation);
  return n;
}

ir::ValueId Affine(NodeContext& c, ir::ValueId x, ir::ValueId scale, ir::ValueId shift) {
  if (scale != ir::kNoValue) x = c.build.Mul(x, scale);
  return shift == ir::kNoValue ? x : c.build.Add(x, shift);
}

}  // namespace micrort::frontend::onnx
