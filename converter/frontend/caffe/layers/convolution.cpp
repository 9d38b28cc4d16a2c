// Convolutions and transposed convolutions of images, and Im2col, which is one with fixed weights.

#include "converter/frontend/caffe/layers/windows.h"
#include "converter/frontend/caffe/registry.h"

namespace micrort::frontend::caffe {

namespace {

struct Convolution {
  Window window;
  int64_t outputs = 0;
  int64_t groups = 1;
  bool has_bias = true;
};

template <typename List>
std::vector<int64_t> ListOf(const List& list) {
  return {list.begin(), list.end()};
}

Status ReadConvolutionWindow(const ::caffe::ConvolutionParameter& p, Window* window) {
  const WindowField kernel = {
      "kernel", ListOf(p.kernel_size()), p.has_kernel_h(), p.has_kernel_w(), p.kernel_h(), p.kernel_w()};
  const WindowField stride = {"stride",         ListOf(p.stride()), p.has_stride_h(),
                              p.has_stride_w(), p.stride_h(),       p.stride_w()};
  const WindowField pad = {"pad", ListOf(p.pad()), p.has_pad_h(), p.has_pad_w(), p.pad_h(), p.pad_w()};
  const WindowField dilation = {"dilation", ListOf(p.dilation())};
  MICRORT_RETURN_IF_ERROR(ReadWindowField(kernel, 1, 0, &WindowAxis::kernel, window));
  MICRORT_RETURN_IF_ERROR(ReadWindowField(stride, 1, 1, &WindowAxis::stride, window));
  MICRORT_RETURN_IF_ERROR(ReadWindowField(pad, 0, 0, &WindowAxis::pad_begin, window));
  MICRORT_RETURN_IF_ERROR(ReadWindowField(dilation, 1, 1, &WindowAxis::dilation, window));
  for (WindowAxis& axis : window->axes) axis.pad_end = axis.pad_begin;
  return Status();
}

Result<Convolution> ReadConvolution(const LayerContext& c) {
  Convolution out;
  const auto& p = c.layer.convolution_param();
  if (c.rank() != 4) return Unsupported("a bottom of {} dimensions; images have 4", c.rank());
  if (p.axis() != 1 && p.axis() != -3) {
    return Unsupported("channels along axis {}; expected 1", p.axis());
  }
  if (c.top_count() != c.bottom_count())
    return Invalid("{} tops for {} bottoms", c.top_count(), c.bottom_count());
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(0, 1, 2));
  MICRORT_RETURN_IF_ERROR(ReadConvolutionWindow(p, &out.window));
  MICRORT_RETURN_IF_ERROR(ExpectRange("num_output", p.num_output(), 1, kMaxExtent));
  out.outputs = p.num_output();
  out.has_bias = p.bias_term();
  // Forks have types of layers in which every channel is a group, whatever `group` says.
  out.groups = c.layer.type() == "ConvolutionDepthwise" ? c.dim(1) : int64_t{p.group()};
  if (c.layer.type() == "DepthwiseConvolution" && !p.has_group()) out.groups = c.dim(1);
  if (out.groups < 1 || out.outputs % out.groups != 0 || c.dim(1) % out.groups != 0)
    return Invalid("{} groups of {} input and {} output channels", out.groups, c.dim(1), out.outputs);
  return out;
}

Status AddConvolutionBias(LayerContext& c, const Convolution& conv, std::vector<ir::ValueId>* inputs) {
  if (!conv.has_bias) return Status();
  inputs->push_back(ir::kNoValue);
  return Take(c.Weights(1, {conv.outputs}), &inputs->back());
}

// Weights [O,C/g,KH,KW] of every bottom in turn.
Status ImportConvolution(LayerContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Convolution conv, ReadConvolution(c));
  const int64_t depth = c.dim(1) / conv.groups;
  MICRORT_ASSIGN_OR_RETURN(
      const ir::ValueId w,
      c.Weights(0, {conv.outputs, depth, conv.window.height().kernel, conv.window.width().kernel}));
  std::vector<ir::ValueId> inputs = {ir::kNoValue, w};
  MICRORT_RETURN_IF_ERROR(AddConvolutionBias(c, conv, &inputs));
  const bool depthwise = conv.groups > 1 && depth == 1;
  inputs[1] = depthwise
                  ? c.build.Transpose(c.build.Reshape(w, {CopyDim(0), CopyDim(2), CopyDim(3)}), {1, 2, 0})
                  : c.build.Transpose(w, {0, 2, 3, 1});
  for (size_t i = 0; i < c.bottom_count(); ++i) {
    MICRORT_RETURN_IF_ERROR(c.ExpectRank(i, 4));
    inputs[0] = ToNhwc(c.build, c.bottom(i), 4);
    ir::ValueId y = ir::kNoValue;
    if (depthwise) {
      schema::DepthwiseConv2DOptionsT options;
      conv.window.CopyTo(&options);
      y = c.build.Add(std::move(options), inputs);
    } else {
      schema::Conv2DOptionsT options;
      conv.window.CopyTo(&options);
      options.groups = static_cast<int32_t>(conv.groups);
      y = c.build.Add(std::move(options), inputs);
    }
    c.SetTop(i, FromNhwc(c.build, y, 4));
  }
  return c.build.status();
}

// Weights [C,O/g,KH,KW].
Status ImportDeconvolution(LayerContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Convolution conv, ReadConvolution(c));
  const auto g = static_cast<int32_t>(conv.groups);
  const int32_t kh = conv.window.height().kernel, kw = conv.window.width().kernel;
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId w, c.Weights(0, {c.dim(1), conv.outputs / conv.groups, kh, kw}));
  std::vector<ir::ValueId> inputs = {ir::kNoValue, w};
  MICRORT_RETURN_IF_ERROR(AddConvolutionBias(c, conv, &inputs));
  // [O,KH,KW,C/g]
  const ir::ValueId grouped = c.build.Reshape(w, {g, kInferDim, CopyDim(1), CopyDim(2), CopyDim(3)});
  inputs[1] = c.build.Reshape(c.build.Transpose(grouped, {0, 2, 3, 4, 1}),
                              {static_cast<int32_t>(conv.outputs), kh, kw, kInferDim});
  schema::ConvTranspose2DOptionsT options;
  conv.window.CopyTo(&options);
  options.groups = g;
  for (size_t i = 0; i < c.bottom_count(); ++i) {
    MICRORT_RETURN_IF_ERROR(c.ExpectRank(i, 4));
    inputs[0] = ToNhwc(c.build, c.bottom(i), 4);
    c.SetTop(i, FromNhwc(c.build, c.build.Add(schema::ConvTranspose2DOptionsT(options), inputs), 4));
  }
  return c.build.status();
}

// Every tap of every channel becomes a channel: [N,C*KH*KW,OH,OW].
Status ImportIm2col(LayerContext& c) {
  Window window;
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(0, 1, 2));
  MICRORT_RETURN_IF_ERROR(ReadConvolutionWindow(c.layer.convolution_param(), &window));
  const int64_t kh = window.height().kernel, kw = window.width().kernel, taps = kh * kw;
  MICRORT_RETURN_IF_ERROR(ExpectRange("taps of the kernel", taps, 1, 1024));
  const int64_t outputs = c.dim(1) * taps;
  MICRORT_RETURN_IF_ERROR(ExpectRange("channels times squared taps", outputs * taps, 1, 1 << 24));
  std::vector<float> w(static_cast<size_t>(taps * outputs), 0.0f);
  for (int64_t o = 0; o < outputs; ++o) w[static_cast<size_t>(o % taps * outputs + o)] = 1;
  schema::DepthwiseConv2DOptionsT options;
  window.CopyTo(&options);
  const ir::ValueId weights = c.build.Constant({kh, kw, outputs}, w);
  return c.Return(
      FromNhwc(c.build, c.build.Add(std::move(options), {ToNhwc(c.build, c.bottom(), 4), weights}), 4));
}

}  // namespace

const ImporterList ConvolutionLayers = {
    {"Convolution", 1, -1, ImportConvolution, "bottoms of other than 4 dimensions"},
    {"ConvolutionDepthwise", 1, -1, ImportConvolution},
    {"Deconvolution", 1, -1, ImportDeconvolution, "bottoms of other than 4 dimensions"},
    {"DepthwiseConvolution", 1, -1, ImportConvolution},
    {"Im2col", 1, 1, ImportIm2col},
};

}  // namespace micrort::frontend::caffe
