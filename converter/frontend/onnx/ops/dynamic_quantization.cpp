#include "converter/frontend/onnx/ops/quantization.h"

namespace micrort::frontend::onnx {

namespace {

using schema::ReduceKind;
using schema::UnaryKind;

}  // namespace

// 0 is in the range.
Status QuantizeDynamically(NodeContext& c, ir::ValueId x, DynamicallyQuantized* out) {
  const ir::ValueId zero = c.build.Scalar(0.0f);
  const std::vector<int32_t> axes = ir::AxesFrom(0, c.value(x).rank());
  const ir::ValueId max = c.build.Max(c.build.Reduce(ReduceKind::Max, x, axes, false), zero);
  const ir::ValueId min = c.build.Min(c.build.Reduce(ReduceKind::Min, x, axes, false), zero);
  const ir::ValueId range = c.build.Sub(max, min);
  // Where all of x is 0, any scale will do.
  const ir::ValueId is_empty = c.build.Equal(range, zero);
  const ir::ValueId step = c.build.Div(range, c.build.Scalar(255.0f));
  out->scale = c.build.Select({is_empty, c.build.Scalar(1.0f), step});
  const ir::ValueId below = c.build.Sub(zero, min);
  const ir::ValueId steps = c.build.Round(c.build.Div(below, out->scale));
  out->zero_point = c.build.Cast(c.build.Unary(UnaryKind::Clip, steps, 0.0f, 255.0f), DType::kUInt8);
  return Take(Quantized(c, x, {out->scale, out->zero_point}, DType::kUInt8, false), &out->y);
}

}  // namespace micrort::frontend::onnx
