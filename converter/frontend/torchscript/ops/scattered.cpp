#include "converter/frontend/torchscript/ops/scattered.h"

namespace micrort::frontend::torchscript {

ir::ValueId PartFor(OpContext& c, ir::ValueId index, ir::ValueId source) {
  for (int i = 0; i < c.rank(index) && c.rank(source) == c.rank(index); ++i) {
    const int64_t size = c.dim(index, i);
    if (size != ir::kDynamic && c.dim(source, i) > size) source = c.build.Slice(source, i, 0, size);
  }
  return source;
}

ir::ValueId InRowWhere(OpContext& c, ir::ValueId x, ir::ValueId mask, ir::ValueId source) {
  const ir::ValueId shape = c.build.ShapeOf(x);
  const ir::ValueId wide = c.Onnx("Expand", {c.CastTo(mask, DType::kBool), shape});
  const ir::ValueId counted = c.build.Reshape(c.CastTo(wide, DType::kInt64), {ir::kInferDim});
  const ir::ValueId one = c.build.Integer(1), zero = c.build.Integer(0);
  // How many were chosen before; where none was, the first one is read and not used.
  const ir::ValueId before = c.build.Sub(c.Onnx("CumSum", {counted, zero}), one);
  const ir::ValueId row =
      c.build.Gather(c.build.Reshape(source, {ir::kInferDim}), c.build.Max(before, zero), 0);
  return c.build.Select({wide, c.ReshapeTo(row, shape), x});
}

}  // namespace micrort::frontend::torchscript
