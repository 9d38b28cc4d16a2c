// CONV_3D and CONV_3D_TRANSPOSE: volumes [N,D,H,W,C] as batches of planes, one convolution for each tap of
// the window along D, and the sum of these.

#include "converter/frontend/tflite/ops/volume.h"

#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

Window WindowOf(const fb::Conv3DOptionsT& o, const std::vector<int64_t>& weights) {
  return {{{weights[0], o.stride_d, o.dilation_d_factor},
           {weights[1], o.stride_h, o.dilation_h_factor},
           {weights[2], o.stride_w, o.dilation_w_factor}}};
}

Status CheckDepth(int64_t planes) {
  constexpr int64_t kMaxDepth = 256;
  return planes <= kMaxDepth ? Status() : Unsupported("a window of more than {} planes", kMaxDepth);
}

// Weights [KD,KH,KW,...] with the dimension of output channels in front.
Status CheckVolume(OpContext& c, size_t x, size_t weights, size_t channels_at) {
  MICRORT_RETURN_IF_ERROR(c.CheckRank(x, 5));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(weights, 5));
  const std::vector<int64_t> kernel = c.x(weights).shape, volume = c.x(x).shape;
  if (!c.x(weights).is_static() || volume[1] == ir::kDynamic || volume[4] == ir::kDynamic)
    return Unsupported("weights, a depth or channels that are not fixed");
  MICRORT_RETURN_IF_ERROR(CheckDepth(kernel[0]));
  if (kernel[channels_at] == volume[4]) return Status();
  return Invalid("weights for {} of {} channels", kernel[channels_at], volume[4]);
}

// [N,D,H,W,C] → [N*D,H,W,C]
ir::ValueId ToPlanes(OpContext& c, ir::ValueId x) {
  return c.build.Reshape(x, {ir::kInferDim, ir::CopyDim(2), ir::CopyDim(3), ir::CopyDim(4)});
}

ir::ValueId FromPlanes(OpContext& c, ir::ValueId x, int32_t depth) {
  return c.build.Reshape(x, {ir::kInferDim, depth, ir::CopyDim(1), ir::CopyDim(2), ir::CopyDim(3)});
}

// Tap k of the weights, with its dimensions in another order.
ir::ValueId TapWeights(OpContext& c, ir::ValueId weights, int64_t k, const std::vector<int32_t>& order) {
  const ir::ValueId tap = c.build.Reshape(c.build.Slice(weights, 0, k, k + 1),
                                          {ir::CopyDim(1), ir::CopyDim(2), ir::CopyDim(3), ir::CopyDim(4)});
  return c.build.Transpose(tap, order);
}

ir::ValueId Plus(OpContext& c, ir::ValueId sum, ir::ValueId x) {
  return sum == ir::kNoValue ? x : c.build.Add(sum, x);
}

Status ImportConv3D(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckVolume(c, 0, 1, 3));
  const auto o = c.op.Options<fb::Conv3DOptionsT>();
  const std::vector<int64_t> shape = c.x().shape;
  Window window = WindowOf(o, c.x(1).shape);
  MICRORT_RETURN_IF_ERROR(SettlePadding(o.padding, shape[1], &window.axes[0]));
  ir::ValueId x = c.input(0);
  if (shape[2] == ir::kDynamic || shape[3] == ir::kDynamic) {
    MICRORT_ASSIGN_OR_RETURN(const int32_t depth, ToInt32(shape[1], "depth"));
    ir::ValueId planes = ToPlanes(c, x);
    MICRORT_RETURN_IF_ERROR(SettlePadding(c, o.padding, 0, &planes, &window));
    x = FromPlanes(c, planes, depth);
  } else {
    MICRORT_RETURN_IF_ERROR(SettlePadding(o.padding, shape[2], &window.height()));
    MICRORT_RETURN_IF_ERROR(SettlePadding(o.padding, shape[3], &window.width()));
  }
  ir::ValueId y = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(ConvolveVolume(c, x, c.input(1), c.input(2), window, 1, &y));
  return c.Return(y, o.fused_activation_function);
}

// Planes `stride` apart, with zeros between them: `spread` planes of `depth`.
ir::ValueId SpreadDepth(OpContext& c, ir::ValueId x, int32_t depth, int64_t stride, int32_t spread) {
  if (stride == 1) return x;
  ir::ValueId y =
      c.build.Reshape(x, {ir::CopyDim(0), depth, 1, ir::CopyDim(2), ir::CopyDim(3), ir::CopyDim(4)});
  schema::PadOptionsT pad;
  pad.pads.assign(12, 0);
  pad.pads[6 + 2] = stride - 1;
  y = c.build.Add(std::move(pad), {y});
  return c.build.Reshape(y, {ir::CopyDim(0), spread, ir::CopyDim(3), ir::CopyDim(4), ir::CopyDim(5)});
}

Status ImportConv3DTranspose(OpContext& c) {
  constexpr size_t kShape = 0, kWeights = 1, kX = 2, kBias = 3;
  MICRORT_RETURN_IF_ERROR(CheckVolume(c, kX, kWeights, 4));
  const auto o = c.op.Options<fb::Conv3DOptionsT>();
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> wanted, c.ConstantIntegers(kShape));
  if (wanted.size() != 5 || wanted[1] < 1 || wanted[2] < 1 || wanted[3] < 1)
    return Invalid("the shape of the output: expected 5 dimensions, found {}", wanted.size());
  const std::vector<int64_t> shape = c.x(kX).shape;
  Window window = WindowOf(o, c.x(kWeights).shape);
  schema::ConvTranspose2DOptionsT options;
  int32_t depth_pad = 0;
  MICRORT_RETURN_IF_ERROR(
      SettleTransposedPadding(o.padding, shape[1], wanted[1], &window.axes[0], &depth_pad));
  MICRORT_RETURN_IF_ERROR(
      SettleTransposedPadding(o.padding, shape[2], wanted[2], &window.height(), &options.output_pad_h));
  MICRORT_RETURN_IF_ERROR(
      SettleTransposedPadding(o.padding, shape[3], wanted[3], &window.width(), &options.output_pad_w));
  window.CopyTo(&options);
  const ir::ValueId planes = ToPlanes(c, c.input(kX));
  MICRORT_ASSIGN_OR_RETURN(const int32_t depth, ToInt32(shape[1], "depth"));
  MICRORT_ASSIGN_OR_RETURN(const int32_t spread,
                           ToInt32(depth * window.axes[0].stride, "depth with zeros between planes"));
  ir::ValueId sum = ir::kNoValue;
  for (int64_t k = 0; k < window.axes[0].kernel; ++k) {
    const ir::ValueId tap = c.build.Add(options, {planes, TapWeights(c, c.input(kWeights), k, {2, 0, 1, 3})});
    const int64_t begin = k * window.axes[0].dilation - window.axes[0].pad_begin;
    const ir::ValueId volume =
        SpreadDepth(c, FromPlanes(c, tap, depth), depth, window.axes[0].stride, spread);
    sum = Plus(c, sum, c.build.PadDim(volume, 1, begin, wanted[1] - spread - begin));
  }
  if (c.op.has_input(kBias)) sum = Plus(c, sum, c.input(kBias));
  return c.Return(sum, o.fused_activation_function);
}

}  // namespace

Status ConvolveVolume(OpContext& c, ir::ValueId x, ir::ValueId weights, ir::ValueId bias,
                      const Window& window, int32_t groups, ir::ValueId* y) {
  MICRORT_RETURN_IF_ERROR(CheckDepth(window.axes[0].kernel));
  const int64_t padded = c.value(x).dim(1) + window.axes[0].pad_begin + window.axes[0].pad_end,
                steps = padded - window.axes[0].span(), depth = steps / window.axes[0].stride + 1;
  if (steps < 0) return Invalid("a window that is deeper than the volume");
  MICRORT_ASSIGN_OR_RETURN(const int32_t planes, ToInt32(depth, "depth of the output"));
  x = c.build.PadDim(x, 1, window.axes[0].pad_begin, window.axes[0].pad_end);
  ir::ValueId sum = ir::kNoValue;
  for (int64_t k = 0; k < window.axes[0].kernel; ++k) {
    const int64_t start = k * window.axes[0].dilation, end = start + (depth - 1) * window.axes[0].stride + 1;
    const ir::ValueId slices = c.build.SliceSteps(x, 1, start, end, window.axes[0].stride);
    schema::Conv2DOptionsT options;
    window.CopyTo(&options);
    options.groups = groups;
    const std::vector<ir::ValueId> inputs = ir::Present(
        {ToPlanes(c, slices), TapWeights(c, weights, k, {3, 0, 1, 2}), k == 0 ? bias : ir::kNoValue});
    sum = Plus(c, sum, c.build.Add(std::move(options), inputs));
  }
  *y = FromPlanes(c, sum, planes);
  return c.build.status();
}

const ImporterList VolumeImporters = {
    {"CONV_3D", 2, 3, ImportConv3D, Types(kFloat32).Without("a depth that is not fixed")},
    {"CONV_3D_TRANSPOSE", 3, 4, ImportConv3DTranspose,
     Types(kFloat32).Without("a shape that is computed; a depth that is not fixed")},
};

}  // namespace micrort::frontend::tflite
