#include "runtime/ops/conv_op.h"

#include "runtime/ops/layer_operands.h"

namespace micrort {

namespace {

ConvWeights Weights(const ConvState& s, Span<Tensor* const> inputs) {
  const Tensor& w = *inputs[kLayerWeights];
  const QuantizationView& q = w.quantization;
  return {w.data, s.column_stride, s.depth_stride, q.scales, q.count > 1 ? 1 : 0, IntegerBias(inputs)};
}

}  // namespace

Status CheckConvInput(const Tensor& x) {
  MICRORT_RETURN_IF_ERROR(ExpectRank(x, "input", 4));
  if (x.shape[3] > 0) return Status();
  return MICRORT_ERROR(kInvalidModel, "input '%s' of shape %s has no channels", x.name,
                       ShapeString(x.shape).c_str());
}

Status PrepareConv(PrepareContext& context, const ConvFilters& filters, ConvState* s) {
  const Shape& x = context.input(kLayerX).shape;
  const ConvGeometry& g = s->geometry;
  Conv2DParams& p = s->layer.params;
  p.batch = x[0], p.in_h = x[1], p.in_w = x[2], p.in_c = x[3];
  p.out_c = filters.columns, p.kernel_h = filters.kernel_h, p.kernel_w = filters.kernel_w;
  p.stride_h = g.stride_h, p.stride_w = g.stride_w;
  p.dilation_h = g.dilation_h, p.dilation_w = g.dilation_w;
  p.pad_top = g.pad_top, p.pad_left = g.pad_left;
  p.groups = s->groups;
  MICRORT_RETURN_IF_ERROR(ConvOutputSize("height", p.in_h, p.kernel_h, p.stride_h, p.dilation_h,
                                         g.pad_top + g.pad_bottom, &p.out_h));
  MICRORT_RETURN_IF_ERROR(ConvOutputSize("width", p.in_w, p.kernel_w, p.stride_w, p.dilation_w,
                                         g.pad_left + g.pad_right, &p.out_w));
  MICRORT_RETURN_IF_ERROR(ReadLayerTypes(context, filters.axis, p.out_c, s->want_dynamic, &p.types));
  MICRORT_RETURN_IF_ERROR(SetLayerOutput(context, p.types, Shape::Of(p.batch, p.out_h, p.out_w, p.out_c)));
  return PlanConvLayer(context, 1, &s->layer);
}

Status PackConv(const PackContext& context) {
  const ConvState& s = context.get<ConvState>();
  PackConvLayer(s.layer, Weights(s, context.inputs), 0, context.destination);
  return Status();
}

Status RunConv(const RunContext& context) {
  const ConvState& s = context.state<ConvState>();
  ConvTensors tensors = {};
  tensors.x = context.input(kLayerX).data;
  tensors.bias = FloatBias(context.inputs);
  tensors.residual = ResidualData(context.inputs);
  tensors.y = context.output(0).data;
  RunConvLayer(s.layer, Weights(s, context.inputs), 0, tensors, context);
  return Status();
}

}  // namespace micrort
