// DepthwiseConv2D: every channel has filters of its own. Weights [KH,KW,C * multiplier]; output channel o
// reads input channel o / multiplier, as in a convolution with C groups.

#include "micrort/op_resolver.h"
#include "runtime/ops/conv_op.h"
#include "runtime/ops/layer_operands.h"

namespace micrort {
namespace depthwise_conv2d_op {
namespace {

Status Parse(const schema::Operator& op, void* state) {
  const schema::DepthwiseConv2DOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  return ParseConv(op, *options, static_cast<ConvState*>(state));
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(2, 5, 1));
  ConvState& s = context.state<ConvState>();
  const Tensor& x = context.input(kLayerX);
  const Tensor& w = context.input(kLayerWeights);
  MICRORT_RETURN_IF_ERROR(CheckConvInput(x));
  MICRORT_RETURN_IF_ERROR(ExpectRank(w, "weights", 3));
  if (w.dtype == DType::kInt4) return MICRORT_ERROR(kUnsupported, "weights '%s' are int4", w.name);
  const int64_t columns = w.shape[2];
  if (columns <= 0 || columns % x.shape[3] != 0) {
    return MICRORT_ERROR(kInvalidModel,
                         "weights %s: the last dimension must be a multiple of the channels of %s",
                         ShapeString(w.shape).c_str(), ShapeString(x.shape).c_str());
  }
  s.groups = x.shape[3];
  s.column_stride = 1;
  s.depth_stride = columns;
  const ConvFilters filters = {columns, w.shape[0], w.shape[1], 2};
  FillConvParams(x.shape, filters, &s);
  MICRORT_RETURN_IF_ERROR(FillConvOutputSize(&s));
  return PlanConv(context, filters, &s);
}

}  // namespace
}  // namespace depthwise_conv2d_op

MICRORT_OPERATOR(DepthwiseConv2D, depthwise_conv2d_op, sizeof(ConvState), Parse, Prepare, PackConv, RunConv)

}  // namespace micrort
