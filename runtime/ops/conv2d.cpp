// Conv2D: convolution over NHWC images with bias, residual and activation.

#include "micrort/op_resolver.h"
#include "runtime/ops/activation.h"
#include "runtime/ops/conv_geometry.h"
#include "runtime/ops/conv_layer.h"
#include "runtime/ops/layer_operands.h"
#include "runtime/ops/parse_options.h"

namespace micrort {

namespace {

struct State {
  ConvGeometry geometry;
  int64_t groups;
  bool want_dynamic;
  ConvLayer layer;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::Conv2DOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  State& s = *static_cast<State*>(state);
  MICRORT_RETURN_IF_ERROR(ParseGeometry(*options, &s.geometry));
  s.groups = options->groups();
  if (s.groups <= 0) return MICRORT_ERROR(kInvalidModel, "groups %d must be positive", options->groups());
  s.want_dynamic = options->compute() == schema::WeightCompute::DynamicInt8;
  return ParseActivation(options->activation(), &s.layer.params.types.activation);
}

// Dimensions of x, weights [O,KH,KW,C/groups] and output.
Status ReadShapes(const PrepareContext& context, const State& s, Conv2DParams* p) {
  const Tensor& x = context.input(kLayerX);
  const Tensor& w = context.input(kLayerWeights);
  MICRORT_RETURN_IF_ERROR(ExpectRank(x, "input", 4));
  MICRORT_RETURN_IF_ERROR(ExpectRank(w, "weights", 4));
  const ConvGeometry& g = s.geometry;
  p->batch = x.shape[0], p->in_h = x.shape[1], p->in_w = x.shape[2], p->in_c = x.shape[3];
  p->out_c = w.shape[0], p->kernel_h = w.shape[1], p->kernel_w = w.shape[2];
  p->stride_h = g.stride_h, p->stride_w = g.stride_w;
  p->dilation_h = g.dilation_h, p->dilation_w = g.dilation_w;
  p->pad_top = g.pad_top, p->pad_left = g.pad_left;
  p->groups = s.groups;
  if (p->in_c <= 0 || p->out_c <= 0 || p->in_c % s.groups != 0 || p->out_c % s.groups != 0 ||
      w.shape[3] != p->in_c / s.groups) {
    return MICRORT_ERROR(kInvalidModel, "input %s, weights %s and %d groups do not match",
                         ShapeString(x.shape).c_str(), ShapeString(w.shape).c_str(),
                         static_cast<int>(s.groups));
  }
  MICRORT_RETURN_IF_ERROR(ConvOutputSize("height", p->in_h, p->kernel_h, p->stride_h, p->dilation_h,
                                         g.pad_top + g.pad_bottom, &p->out_h));
  return ConvOutputSize("width", p->in_w, p->kernel_w, p->stride_w, p->dilation_w, g.pad_left + g.pad_right,
                        &p->out_w);
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(2, 4, 1));
  State& s = context.state<State>();
  Conv2DParams& p = s.layer.params;
  MICRORT_RETURN_IF_ERROR(ReadShapes(context, s, &p));
  MICRORT_RETURN_IF_ERROR(ReadLayerTypes(context, 0, p.out_c, s.want_dynamic, &p.types));
  MICRORT_RETURN_IF_ERROR(SetLayerOutput(context, p.types, Shape::Of(p.batch, p.out_h, p.out_w, p.out_c)));
  return PlanConvLayer(context, 1, &s.layer);
}

ConvWeights Weights(const Conv2DParams& p, Span<Tensor* const> inputs) {
  const Tensor& w = *inputs[kLayerWeights];
  return {w.data, p.depth(), 1, w.quantization.scales, w.quantization.count > 1 ? 1 : 0, IntegerBias(inputs)};
}

Status Pack(const PackContext& context) {
  const ConvLayer& layer = context.get<State>().layer;
  PackConvLayer(layer, Weights(layer.params, context.inputs), 0, context.destination);
  return Status();
}

Status Run(const RunContext& context) {
  const ConvLayer& layer = context.state<State>().layer;
  ConvTensors tensors = {};
  tensors.x = context.input(kLayerX).data;
  tensors.bias = FloatBias(context.inputs);
  tensors.residual = ResidualData(context.inputs);
  tensors.y = context.output(0).data;
  RunConvLayer(layer, Weights(layer.params, context.inputs), 0, tensors, context);
  return Status();
}

}  // namespace

const OpRegistration& ops::Conv2D() {
  static constexpr OpRegistration kRegistration = {
      static_cast<int>(schema::OpCode::Conv2D), "Conv2D", sizeof(State), Parse, Prepare, Pack, Run};
  return kRegistration;
}

}  // namespace micrort
