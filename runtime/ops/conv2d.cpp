// Conv2D: convolution over NHWC images with bias, residual and activation. Weights [O,KH,KW,C/groups].

#include "micrort/op_resolver.h"
#include "runtime/ops/conv_op.h"
#include "runtime/ops/layer_operands.h"

namespace micrort {

namespace {

Status Parse(const schema::Operator& op, void* state) {
  const schema::Conv2DOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  ConvState& s = *static_cast<ConvState*>(state);
  s.groups = options->groups();
  if (s.groups <= 0) return MICRORT_ERROR(kInvalidModel, "groups %d must be positive", options->groups());
  return ParseConv(*options, &s);
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(2, 4, 1));
  ConvState& s = context.state<ConvState>();
  const Tensor& x = context.input(kLayerX);
  const Tensor& w = context.input(kLayerWeights);
  MICRORT_RETURN_IF_ERROR(CheckConvInput(x));
  MICRORT_RETURN_IF_ERROR(ExpectRank(w, "weights", 4));
  const int64_t in_channels = x.shape[3], columns = w.shape[0];
  if (columns <= 0 || in_channels % s.groups != 0 || columns % s.groups != 0 ||
      w.shape[3] != in_channels / s.groups) {
    return MICRORT_ERROR(kInvalidModel, "input %s, weights %s and %d groups do not match",
                         ShapeString(x.shape).c_str(), ShapeString(w.shape).c_str(),
                         static_cast<int>(s.groups));
  }
  s.column_stride = w.shape.product(1, 4);
  s.depth_stride = 1;
  return PrepareConv(context, {columns, w.shape[1], w.shape[2], 0}, &s);
}

}  // namespace

const OpRegistration& ops::Conv2D() {
  static constexpr OpRegistration kRegistration = {static_cast<int>(schema::OpCode::Conv2D),
                                                   "Conv2D",
                                                   sizeof(ConvState),
                                                   Parse,
                                                   Prepare,
                                                   PackConv,
                                                   RunConv};
  return kRegistration;
}

}  // namespace micrort
