#include "converter/frontend/onnx/ops/conv_layer.h"

namespace micrort::frontend::onnx {

Status ReadWeights(const NodeContext& c, ConvWeights* out) {
  const ir::Value& w = c.x(1);
  MICRORT_RETURN_IF_ERROR(CheckImageRank(c.x()));
  if (w.rank() != c.x().rank())
    return Invalid("weights: expected {} dimensions, found {}", c.x().rank(), w.rank());
  if (!w.is_static()) return Unsupported("weights whose shape is not fixed");
  out->first = w.shape[0];
  out->second = w.shape[1];
  out->kernel.assign(w.shape.begin() + 2, w.shape.end());
  return Status();
}

Status ReadGroups(NodeContext& c, int64_t outputs, int64_t in_channels, int32_t* groups) {
  const int64_t g = c.Int("group", 1);
  MICRORT_ASSIGN_OR_RETURN(*groups, ToInt32(g, "group"));
  if (g < 1 || outputs % g != 0 || (in_channels != ir::kDynamic && in_channels % g != 0))
    return Invalid("{} groups of {} input and {} output channels", g, in_channels, outputs);
  return Status();
}

ir::ValueId LiftKernel(NodeContext& c, ir::ValueId w) {
  return c.value(w).rank() == 3 ? c.build.Reshape(w, {-2, -3, 1, -4}) : w;
}

}  // namespace micrort::frontend::onnx
