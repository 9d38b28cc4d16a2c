// Float convolutions, depthwise convolutions and matrix products (1x1 convolutions of a batch of rows).

#include "kernels/base/dcheck.h"
#include "kernels/elementwise/activate_f32.h"
#include "xnnpack/layer.h"

namespace micrort {
namespace {

const char* Name(const Conv2DParams&, const ConvTarget&) { return "xnnpack_f32/operator"; }

bool Applicable(const Conv2DParams& p) {
  const LayerTypes& types = p.types;
  // Pieces of the output begin at any channel.
  return types.is_float() && types.weights == DType::kFloat32 && HasXnnpackGeometry(p) &&
         types.activation.lo() < types.activation.hi() && types.activation.kind != ActivationKind::kPRelu;
}

ConvPlan Plan(const Conv2DParams& p, const ConvTarget& target) {
  ConvPlan plan;
  plan.kernel = KernelId::xnnpack_f32_operator;
  plan.activation = SelectActivationF32(p.types.activation, target.features);
  return plan;
}

xnn_status SetUp(const ExternalLayer& layer, const Conv2DParams& p, const ConvTensors& tensors) {
  return xnn_setup_convolution2d_nhwc_f32(layer.op, static_cast<size_t>(p.batch), static_cast<size_t>(p.in_h),
                                          static_cast<size_t>(p.in_w), static_cast<const float*>(tensors.x),
                                          static_cast<float*>(tensors.y), layer.threads);
}

// A piece of the output for each worker.
void Activate(const Conv2DParams& p, const ConvPlan& plan, float* y, const Parallel& parallel) {
  if (plan.activation == KernelId::none) return;
  const ActivateF32 activate(p.types.activation, plan.activation, nullptr);
  const int64_t elements = p.rows() * p.out_c, parts = parallel.workers();
  ParallelFor(parallel, static_cast<size_t>(parts), [&](size_t part, int) {
    const auto i = static_cast<int64_t>(part);
    const int64_t begin = elements * i / parts, end = elements * (i + 1) / parts;
    const auto count = static_cast<size_t>(end - begin);
    activate(y + begin, 1, count, count, 0);
  });
}

// Sizes are those that it was created for, so setting it up only takes note of where tensors lie.
void Run(const Conv2DParams& p, const ConvTarget&, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel) {
  const auto& layer = *static_cast<const ExternalLayer*>(tensors.packed);
  [[maybe_unused]] xnn_status status = SetUp(layer, p, tensors);
  MICRORT_DCHECK(status == xnn_status_success);
  status = xnn_run_operator(layer.op, layer.threads);
  MICRORT_DCHECK(status == xnn_status_success);
  Activate(p, plan, static_cast<float*>(tensors.y), parallel);
}

}  // namespace

const Conv2DAlgorithm kXnnpackF32 = {Name,      Applicable,      XnnpackCost, Plan,
                                     NoScratch, NoPackedWeights, KeepWeights, Run};

Status CreateXnnpackF32(const ConvCall& call, const ConvWeights& weights, const ConvTensors& tensors,
                        ExternalLayer* layer) {
  const Conv2DParams& p = call.params;
  FixedArray<float> ordered;
  MICRORT_RETURN_IF_ERROR(Reorder(p, weights, &ordered));
  const XnnpackGeometry g(p);
  MICRORT_RETURN_IF_ERROR(XnnpackError(
      xnn_create_convolution2d_nhwc_f32(g.pad_top, g.pad_right, g.pad_bottom, g.pad_left, g.kernel_h,
                                        g.kernel_w, g.stride_h, g.stride_w, g.dilation_h, g.dilation_w,
                                        g.groups, g.group_channels, g.group_columns, g.in_c, g.out_c,
                                        ordered.data(), tensors.bias, p.types.activation.lo(),
                                        p.types.activation.hi(), g.flags, &layer->op),
      "xnn_create_convolution2d_nhwc_f32"));
  return XnnpackError(SetUp(*layer, p, tensors), "xnn_setup_convolution2d_nhwc_f32");
}

}  // namespace micrort
