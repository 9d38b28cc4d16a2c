// CONV_3D and CONV_3D_TRANSPOSE, of volumes [N,D,H,W,C], as ONNX's operators.

#include "converter/frontend/tflite/ops/window.h"
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

// ONNX's operator of x [N,D,H,W,C], weights [KD,KH,KW,...], whose last two dimensions are those of channels,
// and bias.
Result<ir::ValueId> AddOnVolume(OpContext& c, const char* op, std::vector<ir::ValueId> inputs,
                                const Window& window, std::vector<OnnxAttribute> attributes) {
  constexpr int kOnnxVersion = 21;
  const auto list = [&](int64_t WindowAxis::*field) {
    std::vector<int64_t> all;
    for (const WindowAxis& axis : window.axes) all.push_back(axis.*field);
    return all;
  };
  std::vector<int64_t> pads = list(&WindowAxis::pad_begin), ends = list(&WindowAxis::pad_end);
  pads.insert(pads.end(), ends.begin(), ends.end());
  attributes.push_back({"strides", list(&WindowAxis::stride)});
  attributes.push_back({"dilations", list(&WindowAxis::dilation)});
  attributes.push_back({"pads", std::move(pads)});
  inputs[0] = c.build.Transpose(inputs[0], {0, 4, 1, 2, 3});
  inputs[1] = c.build.Transpose(inputs[1], {4, 3, 0, 1, 2});
  MICRORT_RETURN_IF_ERROR(c.build.status());
  MICRORT_ASSIGN_OR_RETURN(const std::vector<ir::ValueId> outputs,
                           AddOnnxOperator(op, kOnnxVersion, inputs, attributes, c.build));
  return c.build.Checked(c.build.Transpose(outputs[0], {0, 2, 3, 4, 1}));
}

Status ImportConv3D(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckVolume(c, 0, 1, 3));
  const auto o = c.op.Options<fb::Conv3DOptionsT>();
  Window window = WindowOf(o, c.x(1).shape);
  MICRORT_RETURN_IF_ERROR(SettlePadding(o.padding, c.x().shape[1], &window.axes[0]));
  const std::string padding = o.padding == fb::Padding::Same ? "SAME_UPPER" : "NOTSET";
  ir::ValueId y = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(
      ConvolveVolume(c, c.input(0), c.input(1), c.input(2), window, {{"auto_pad", padding}}, &y));
  return c.Return(y, o.fused_activation_function);
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
  std::vector<int64_t> output_padding;
  for (size_t i = 0; i < 3; ++i) {
    int32_t pad = 0;
    MICRORT_RETURN_IF_ERROR(
        SettleTransposedPadding(o.padding, shape[1 + i], wanted[1 + i], &window.axes[i], &pad));
    output_padding.push_back(pad);
  }
  MICRORT_RETURN_IF_ERROR(
      ToInt32(shape[1] * window.axes[0].stride, "depth with zeros between planes").status());
  MICRORT_ASSIGN_OR_RETURN(
      ir::ValueId y, AddOnVolume(c, "ConvTranspose", {c.input(kX), c.input(kWeights), c.input(kBias)}, window,
                                 {{"output_padding", output_padding}}));
  return c.Return(y, o.fused_activation_function);
}

}  // namespace

Status ConvolveVolume(OpContext& c, ir::ValueId x, ir::ValueId weights, ir::ValueId bias,
                      const Window& window, std::vector<OnnxAttribute> others, ir::ValueId* y) {
  const WindowAxis& depth = window.axes[0];
  MICRORT_RETURN_IF_ERROR(CheckDepth(depth.kernel));
  if (c.value(x).dim(1) + depth.pad_begin + depth.pad_end < depth.span())
    return Invalid("a window that is deeper than the volume");
  return Take(AddOnVolume(c, "Conv", {x, weights, bias}, window, std::move(others)), y);
}

const ImporterList VolumeImporters = {
    {"CONV_3D", 2, 3, ImportConv3D, Types(kFloat32).Without("a depth that is not fixed")},
    {"CONV_3D_TRANSPOSE", 3, 4, ImportConv3DTranspose,
     Types(kFloat32).Without("a shape that is computed; a depth that is not fixed")},
};

}  // namespace micrort::frontend::tflite
