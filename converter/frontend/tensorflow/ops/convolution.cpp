// Convolutions of images.

#include "converter/frontend/tensorflow/ops/fused.h"
#include "converter/frontend/tensorflow/ops/image.h"
#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

// Weights [KH,KW,I,O], whose sizes must be fixed.
Result<Window> ReadKernel(const OpContext& c, size_t input) {
  Window window;
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(input, 4));
  if (!c.x(input).is_static()) return Unsupported("the weights' shape is not fixed");
  for (size_t i = 0; i < 2; ++i) window.axes[i].kernel = c.x(input).shape[i];
  return window;
}

Status CheckChannels(int64_t channels, int64_t depth) {
  if (channels == ir::kDynamic) return Unsupported("the number of channels is not fixed");
  if (depth > 0 && channels % depth == 0) return Status();
  return Invalid("{} channels, and weights for {}", channels, depth);
}

// Weights for fewer channels than there are make groups.
Result<ir::ValueId> Convolve(OpContext& c, const std::vector<ir::ValueId>& bias) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  MICRORT_ASSIGN_OR_RETURN(Window window, ReadKernel(c, 1));
  ir::ValueId x = ToNhwc(c, c.input(0));
  MICRORT_RETURN_IF_ERROR(ReadWindow(c, 0.0f, &x, &window));
  const int64_t channels = c.value(x).dim(3), depth = c.x(1).shape[2];
  MICRORT_RETURN_IF_ERROR(CheckChannels(channels, depth));
  schema::Conv2DOptionsT options;
  window.CopyTo(&options);
  MICRORT_ASSIGN_OR_RETURN(options.groups, ToInt32(channels / depth, "groups"));
  std::vector<ir::ValueId> inputs = {x, c.build.Transpose(c.input(1), {3, 0, 1, 2})};
  inputs.insert(inputs.end(), bias.begin(), bias.end());
  return c.build.Add(std::move(options), inputs);
}

// Weights [KH,KW,C,M]: output channel c * M + m.
Result<ir::ValueId> ConvolveDepthwise(OpContext& c, const std::vector<ir::ValueId>& bias) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  MICRORT_ASSIGN_OR_RETURN(Window window, ReadKernel(c, 1));
  ir::ValueId x = ToNhwc(c, c.input(0));
  MICRORT_RETURN_IF_ERROR(ReadWindow(c, 0.0f, &x, &window));
  if (c.value(x).dim(3) != c.x(1).shape[2])
    return Invalid("{} channels, and filters for {}", c.value(x).dim(3), c.x(1).shape[2]);
  schema::DepthwiseConv2DOptionsT options;
  window.CopyTo(&options);
  std::vector<ir::ValueId> inputs = {x, c.build.Reshape(c.input(1), {CopyDim(0), CopyDim(1), kInferDim})};
  inputs.insert(inputs.end(), bias.begin(), bias.end());
  return c.build.Add(std::move(options), inputs);
}

Status ImportConv2D(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId y, Convolve(c, {}));
  return c.Return(FromNhwc(c, y));
}

Status ImportDepthwise(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId y, ConvolveDepthwise(c, {}));
  return c.Return(FromNhwc(c, y));
}

// inputs 2 to 5: scale, offset, mean, variance.
ir::ValueId NormalizeBatch(OpContext& c, ir::ValueId y) {
  ir::Builder& b = c.build;
  const ir::ValueId variance = b.Add(c.input(5), b.Scalar(c.Float("epsilon", 0.0001f)));
  const ir::ValueId factor = b.Div(c.input(2), b.Sqrt(variance));
  const ir::ValueId shift = b.Sub(c.input(3), b.Mul(c.input(4), factor));
  return b.Add(b.Mul(y, factor), shift);
}

// What Grappler fuses: a bias, or a batch normalization, then an activation.
template <Result<ir::ValueId> (*convolve)(OpContext& c, const std::vector<ir::ValueId>& bias)>
Status ImportFused(OpContext& c) {
  std::vector<std::string> fused = c.Strings("fused_ops");
  ir::ValueId y = ir::kNoValue;
  if (!fused.empty() && fused[0] == "BiasAdd" && c.input_count() >= 3) {
    MICRORT_ASSIGN_OR_RETURN(y, convolve(c, {c.input(2)}));
    fused.erase(fused.begin());
    if (!fused.empty() && fused[0] == "Add" && c.input_count() == 4) {
      y = c.build.Add(y, ToNhwc(c, c.input(3)));
      fused.erase(fused.begin());
    }
  } else if (!fused.empty() && fused[0] == "FusedBatchNorm" && c.input_count() == 6) {
    MICRORT_ASSIGN_OR_RETURN(y, convolve(c, {}));
    y = NormalizeBatch(c, y);
    fused.erase(fused.begin());
  } else {
    return Unsupported("fused_ops other than BiasAdd or FusedBatchNorm and an activation");
  }
  for (const std::string& op : fused) MICRORT_RETURN_IF_ERROR(Activate(c, op, &y));
  return c.Return(FromNhwc(c, y));
}

// inputs: the output's shape, weights [KH,KW,O,I], x. Pads are those of the convolution from the output to x.
Status ImportTransposed(OpContext& c) {
  std::vector<int64_t> sizes;
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(2, 4));
  MICRORT_ASSIGN_OR_RETURN(Window window, ReadKernel(c, 1));
  const bool is_known = ir::IntegersOf(c.x(0), &sizes) && sizes.size() == 4;
  const ir::ValueId x = ToNhwc(c, c.input(2));
  MICRORT_RETURN_IF_ERROR(ReadSpatial(c, "strides", &WindowAxis::stride, &window));
  MICRORT_RETURN_IF_ERROR(ReadSpatial(c, "dilations", &WindowAxis::dilation, &window));
  const bool same = c.String("padding", "") == "SAME";
  if (!same && c.String("padding", "") != "VALID")
    return MICRORT_ERROR(kUnsupported, "padding '%.20s'", c.String("padding", "").c_str());
  schema::ConvTranspose2DOptionsT options;
  int32_t output_pad[2] = {0, 0};
  for (size_t i = 0; i < 2; ++i) {
    WindowAxis& axis = window.axes[i];
    const int64_t in = c.value(x).dim(1 + i);
    const bool is_fixed = is_known && in != ir::kDynamic;
    // Where the output's size is computed, it is the one that Keras computes: that of one position, and of
    // each beyond it a stride.
    const int64_t more = same ? 0 : std::max<int64_t>(axis.span() - axis.stride, 0);
    const int64_t wanted = is_fixed ? sizes[i + (IsChannelsFirst(c) ? 2 : 1)] : axis.stride + more;
    MICRORT_RETURN_IF_ERROR(CheckWindow(axis));
    MICRORT_RETURN_IF_ERROR(CutToSize(is_fixed ? in : 1, wanted, same, &axis, &output_pad[i]));
  }
  window.CopyTo(&options);
  options.output_pad_h = output_pad[0];
  options.output_pad_w = output_pad[1];
  const ir::ValueId w = c.build.Transpose(c.input(1), {2, 0, 1, 3});
  return c.Return(FromNhwc(c, c.build.Add(std::move(options), {x, w})));
}

}  // namespace

const ImporterList ConvolutionOps = {
    {"Conv2D", 2, 2, ImportConv2D},
    {"Conv2DBackpropInput", 3, 3, ImportTransposed, "explicit padding"},
    {"DepthwiseConv2dNative", 2, 2, ImportDepthwise},
    {"_FusedConv2D", 3, -1, ImportFused<Convolve>, "other fused_ops than Grappler writes"},
    {"_FusedDepthwiseConv2dNative", 3, -1, ImportFused<ConvolveDepthwise>,
     "other fused_ops than Grappler writes"},
};

}  // namespace micrort::frontend::tensorflow
