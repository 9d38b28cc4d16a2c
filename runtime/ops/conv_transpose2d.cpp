// ConvTranspose2D: transposed convolution over NHWC images with bias and activation. Weights
// [O,KH,KW,C/groups]. Every output pixel gathers the input pixels that reach it.

#include <algorithm>

#include "kernels/base/checked_math.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/conv_op.h"
#include "runtime/ops/layer_operands.h"

namespace micrort {
namespace conv_transpose2d_op {
namespace {

struct State {
  ConvState conv;  // first, as the shared functions expect
  int64_t output_pad_h, output_pad_w;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::ConvTranspose2DOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  State& s = *static_cast<State*>(state);
  s.conv.groups = options->groups();
  s.output_pad_h = options->output_pad_h();
  s.output_pad_w = options->output_pad_w();
  if (s.conv.groups <= 0 || s.output_pad_h < 0 || s.output_pad_w < 0) {
    return MICRORT_ERROR(kInvalidModel, "groups %d must be positive, output padding %dx%d not negative",
                         options->groups(), options->output_pad_h(), options->output_pad_w());
  }
  s.conv.layer.params.transposed = true;
  return ParseConv(op, *options, &s.conv);
}

// (in - 1) * stride - pads + dilation * (kernel - 1) + 1 + output_pad
Status OutputSize(const char* axis, int64_t in, int64_t kernel, int64_t stride, int64_t dilation,
                  int64_t pads, int64_t output_pad, int64_t* out) {
  int64_t extent = 0;
  const bool fits = in > 0 && kernel > 0 && CheckedMul(in - 1, stride, out) &&
                    CheckedMul(dilation, kernel - 1, &extent) && CheckedAdd(*out, extent, out) &&
                    CheckedAdd(*out, 1 + output_pad - pads, out) && *out > 0;
  if (fits) return Status();
  return MICRORT_ERROR(kInvalidModel, "%s: the output would be empty or too large", axis);
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(2, 5, 1));
  if (context.has_input(kLayerResidual))
    return MICRORT_ERROR(kInvalidModel, "a transposed convolution takes no residual");
  State& s = context.state<State>();
  ConvFilters filters;
  MICRORT_RETURN_IF_ERROR(ReadConvFilters(context, &s.conv, &filters));
  FillConvParams(context.input(kLayerX).shape, filters, &s.conv);
  const ConvGeometry& g = s.conv.geometry;
  Conv2DParams& p = s.conv.layer.params;
  MICRORT_RETURN_IF_ERROR(OutputSize("height", p.in_h, p.kernel_h, p.stride_h, p.dilation_h,
                                     g.pad_top + g.pad_bottom, s.output_pad_h, &p.out_h));
  MICRORT_RETURN_IF_ERROR(OutputSize("width", p.in_w, p.kernel_w, p.stride_w, p.dilation_w,
                                     g.pad_left + g.pad_right, s.output_pad_w, &p.out_w));
  MICRORT_RETURN_IF_ERROR(PlanConv(context, filters, &s.conv));
  // The products that a kernel spends on taps without an input pixel are no work of the layer, but take as
  // long.
  int64_t multiply_adds = 0;
  if (!CheckedMul(p.batch * p.in_h * p.in_w, p.depth() * p.out_c, &multiply_adds)) return Status();
  context.SetMultiplyAdds(multiply_adds);
  constexpr double kMostWork = 1e18;
  const ConvLayer& layer = s.conv.layer;
  const double beside = layer.algorithm->cost(p, layer.target) - static_cast<double>(multiply_adds);
  context.SetWork(static_cast<uint64_t>(std::clamp(beside, 0.0, kMostWork)));
  return Status();
}

}  // namespace
}  // namespace conv_transpose2d_op

MICRORT_OPERATOR(ConvTranspose2D, conv_transpose2d_op, sizeof(State), Parse, Prepare, PackConv, RunConv)

}  // namespace micrort
