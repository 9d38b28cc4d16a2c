#include "converter/frontend/torchscript/ops/norm.h"

namespace micrort::frontend::torchscript {

ir::ValueId NormOf(OpContext& c, ir::ValueId x, double p, const std::vector<int32_t>& axes, bool keep) {
  if (p == 1) return c.build.Reduce(schema::ReduceKind::L1, x, axes, keep);
  if (p == 2) return c.build.Reduce(schema::ReduceKind::L2, x, axes, keep);
  const ir::ValueId magnitude = c.build.Abs(x);
  if (p == 0) {
    const ir::ValueId is_zero = c.build.Equal(x, c.Scalar(c.dtype(x), 0));
    return c.build.Reduce(schema::ReduceKind::Sum, c.CastTo(c.build.Not(is_zero), c.dtype(x)), axes, keep);
  }
  if (p > 1e30) return c.build.Reduce(schema::ReduceKind::Max, magnitude, axes, keep);
  if (p < -1e30) return c.build.Reduce(schema::ReduceKind::Min, magnitude, axes, keep);
  const DType dtype = c.dtype(x);
  const ir::ValueId sum =
      c.build.Reduce(schema::ReduceKind::Sum, c.Onnx("Pow", {magnitude, c.Scalar(dtype, p)}), axes, keep);
  return c.Onnx("Pow", {sum, c.Scalar(dtype, 1 / p)});
}

}  // namespace micrort::frontend::torchscript
