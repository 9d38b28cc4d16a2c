// Conv2D: convolution over NHWC images with bias, residual and activation. Weights [O,KH,KW,C/groups].

#include "micrort/op_resolver.h"
#include "runtime/ops/conv_op.h"
#include "runtime/ops/layer_operands.h"

namespace micrort {
namespace conv2d_op {
namespace {

Status Parse(const schema::Operator& op, void* state) {
  const schema::Conv2DOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  ConvState& s = *static_cast<ConvState*>(state);
  s.groups = options->groups();
  if (s.groups <= 0) return MICRORT_ERROR(kInvalidModel, "groups %d must be positive", options->groups());
  return ParseConv(op, *options, &s);
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(2, 5, 1));
  ConvState& s = context.state<ConvState>();
  ConvFilters filters;
  MICRORT_RETURN_IF_ERROR(ReadConvFilters(context, &s, &filters));
  FillConvParams(context.input(kLayerX).shape, filters, &s);
  MICRORT_RETURN_IF_ERROR(FillConvOutputSize(&s));
  return PlanConv(context, filters, &s);
}

}  // namespace
}  // namespace conv2d_op

MICRORT_OPERATOR(Conv2D, conv2d_op, sizeof(ConvState), Parse, Prepare, PackConv, RunConv)

}  // namespace micrort
