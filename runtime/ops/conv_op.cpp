#include "runtime/ops/conv_op.h"

#include "kernels/base/part.h"
#include "runtime/ops/layer_operands.h"

namespace micrort {

MICRORT_PART(MayRunInPlace);
MICRORT_PART(PlanInPlace);
MICRORT_PART(InPlaceScratchBytes);

namespace {

ConvWeights Weights(const ConvState& s, Span<Tensor* const> inputs) {
  const Tensor& w = *inputs[kLayerWeights];
  const QuantizationView& q = w.quantization;
  return {w.data,
          s.column_stride,
          s.depth_stride,
          q.scales,
          w.grid,
          ScaleStride(q, s.layer.params.out_c),
          IntegerBias(inputs),
          q.zero_points,
          q.group,
          nullptr,
          WideBias(inputs)};
}

}  // namespace

Status CheckConvInput(const Tensor& x) {
  MICRORT_RETURN_IF_ERROR(ExpectRank(x, "input", 4));
  if (x.shape[3] > 0) return Status();
  return MICRORT_ERROR(kInvalidModel, "input '%s' of shape %s has no channels", x.name,
                       ShapeString(x.shape).c_str());
}

Status ReadConvFilters(const PrepareContext& context, ConvState* s, ConvFilters* filters) {
  const Tensor& x = context.input(kLayerX);
  const Tensor& w = context.input(kLayerWeights);
  MICRORT_RETURN_IF_ERROR(CheckConvInput(x));
  MICRORT_RETURN_IF_ERROR(ExpectRank(w, "weights", 4));
  const int64_t in_channels = x.shape[3], columns = w.shape[0];
  if (columns <= 0 || in_channels % s->groups != 0 || columns % s->groups != 0 ||
      w.shape[3] * WeightsInElement(w) != in_channels / s->groups) {
    return MICRORT_ERROR(kInvalidModel, "input %s, weights %s and %d groups do not match",
                         ShapeString(x.shape).c_str(), ShapeString(w.shape).c_str(),
                         static_cast<int>(s->groups));
  }
  *filters = {columns, w.shape[1], w.shape[2], 0};
  s->column_stride = w.shape.product(1, 4) * WeightsInElement(w);
  s->depth_stride = 1;
  return Status();
}

void FillConvParams(const Shape& x, const ConvFilters& filters, ConvState* s) {
  const ConvGeometry& g = s->geometry;
  Conv2DParams& p = s->layer.params;
  p.batch = x[0], p.in_h = x[1], p.in_w = x[2], p.in_c = x[3];
  p.out_c = filters.columns, p.kernel_h = filters.kernel_h, p.kernel_w = filters.kernel_w;
  p.stride_h = g.stride_h, p.stride_w = g.stride_w;
  p.dilation_h = g.dilation_h, p.dilation_w = g.dilation_w;
  p.pad_top = g.pad_top, p.pad_left = g.pad_left;
  p.groups = s->groups;
}

Status FillConvOutputSize(ConvState* s) {
  const ConvGeometry& g = s->geometry;
  Conv2DParams& p = s->layer.params;
  MICRORT_RETURN_IF_ERROR(ConvOutputSize("height", p.in_h, p.kernel_h, p.stride_h, p.dilation_h,
                                         g.pad_top + g.pad_bottom, &p.out_h));
  return ConvOutputSize("width", p.in_w, p.kernel_w, p.stride_w, p.dilation_w, g.pad_left + g.pad_right,
                        &p.out_w);
}

namespace {

// A residual has the first claim to be taken over. On one thread where more need more scratch than they may
// have.
Status AddInPlaceCandidate(PrepareContext& context, ConvLayer* layer) {
  layer->in_place = {};
  if (context.has_input(kLayerResidual) || !MICRORT_HAS_PART(MayRunInPlace) || !MayRunInPlace(*layer))
    return Status();
  PlanInPlace(layer->target.workers, layer);
  if (InPlaceScratchBytes(*layer) > context.target().scratch_limit) PlanInPlace(1, layer);
  size_t scratch = 0;
  MICRORT_RETURN_IF_ERROR(CheckedSize(InPlaceScratchBytes(*layer), "scratch", &scratch));
  context.AddInPlaceCandidate(kLayerX, scratch);
  return Status();
}

}  // namespace

Status PlanConv(PrepareContext& context, const ConvFilters& filters, ConvState* s) {
  Conv2DParams& p = s->layer.params;
  MICRORT_RETURN_IF_ERROR(ReadLayerTypes(context, filters.axis, p.out_c, s->compute, &p.types));
  MICRORT_RETURN_IF_ERROR(SetLayerOutput(context, p.types, Shape::Of(p.batch, p.out_h, p.out_w, p.out_c)));
  MICRORT_RETURN_IF_ERROR(PlanConvLayer(context, 1, &s->layer));
  if (!s->layer.constant_weights) {
    context.SetCall(static_cast<const ConvLayerCall*>(s));
    return Status();
  }
  context.SetConvCall(&s->layer);
  return AddInPlaceCandidate(context, &s->layer);
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
  tensors.slopes = SlopesData(context.inputs);
  tensors.y = context.output(0).data;
  tensors.packed = context.packed[0];
  tensors.scratch = context.scratch;
  RunConvLayer(s.layer, Weights(s, context.inputs), 0, tensors, *context.parallel);
  return Status();
}

}  // namespace micrort
