// Convolutions of sequences, images and volumes.

#include <limits>

#include "converter/frontend/onnx/ops/image.h"
#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

struct Conv {
  Window window;
  int32_t groups = 1;
  bool depthwise = false;
};

ir::ValueId Bias(const NodeContext& c) { return c.has_input(2) ? c.input(2) : ir::kNoValue; }

// x [B,H,W,C] with weights [O,I,KH,KW], plus bias and residual where there are any.
ir::ValueId ConvPlanes(NodeContext& c, const Conv& conv, ir::ValueId x, ir::ValueId w, ir::ValueId bias,
                       ir::ValueId residual) {
  if (conv.depthwise) {
    // [O,1,KH,KW] → [KH,KW,O]
    const ir::ValueId filters = c.build.Transpose(c.build.Reshape(w, {-2, -4, -5}), {1, 2, 0});
    schema::DepthwiseConv2DOptionsT options;
    conv.window.CopyTo(&options);
    const ir::ValueId y = c.build.Add(std::move(options), ir::Present({x, filters, bias}));
    return residual == ir::kNoValue ? y : c.build.Add(y, residual);
  }
  schema::Conv2DOptionsT options;
  conv.window.CopyTo(&options);
  options.groups = conv.groups;
  const ir::ValueId filters = c.build.Transpose(w, {0, 2, 3, 1});
  return c.build.Add(std::move(options), ir::Present({x, filters, bias, residual}));
}

// What the taps of the dimensions before the plane see, in the padded volume.
ir::ValueId SliceTap(NodeContext& c, const Window& window, ir::ValueId x, const std::vector<int32_t>& taps) {
  schema::SliceOptionsT slice;
  for (size_t i = 0; i < taps.size(); ++i) {
    const WindowAxis& axis = window.axes[i];
    if (axis.kernel == 1 && axis.stride == 1) continue;
    const int64_t start = int64_t{taps[i]} * axis.dilation;
    const int64_t from_end = start - (axis.span() - 1);
    ir::AddRange(static_cast<int32_t>(1 + i), start,
                 from_end == 0 ? std::numeric_limits<int64_t>::max() : from_end, axis.stride, &slice);
  }
  return slice.axes.empty() ? x : c.build.Add(std::move(slice), {x});
}

// The sum, over the taps before the plane, of convolutions of planes.
ir::ValueId ConvVolume(NodeContext& c, const Conv& conv, ir::ValueId x, ir::ValueId weights) {
  const size_t leading = conv.window.spatial() - 2;
  for (size_t i = 0; i < leading; ++i) {
    const WindowAxis& axis = conv.window.axes[i];
    x = c.build.PadDim(x, static_cast<int>(1 + i), axis.pad_begin, axis.pad_end);
  }
  std::vector<int32_t> taps(leading, 0);
  ir::ValueId sum = ir::kNoValue;
  ir::ValueId part = ir::kNoValue;
  do {
    part = SliceTap(c, conv.window, x, taps);
    const ir::ValueId planes = ToPlanes(c, part);
    const ir::ValueId bias = sum == ir::kNoValue ? Bias(c) : ir::kNoValue;
    sum = ConvPlanes(c, conv, planes, PlaneWeights(c, weights, taps), bias, sum);
  } while (NextTap(conv.window, &taps) && c.build.status().ok());
  return FromPlanes(c, sum, part);
}

// A kernel [KD,1,1] is one of height KD over images whose rows are whole planes.
ir::ValueId ConvAlongDepth(NodeContext& c, Conv conv, ir::ValueId x, ir::ValueId weights) {
  conv.window.axes.pop_back();
  const ir::ValueId rows = ReshapeTo(c, x, {OneDim(x, 0), OneDim(x, 1), {x, 2, 4}, OneDim(x, 4)});
  const ir::ValueId w = c.build.Reshape(weights, {CopyDim(0), CopyDim(1), CopyDim(2), 1});
  const ir::ValueId y = ConvPlanes(c, conv, rows, w, Bias(c), ir::kNoValue);
  return ReshapeTo(c, y, {OneDim(y, 0), OneDim(y, 1), OneDim(x, 2), OneDim(x, 3), OneDim(y, 3)});
}

Status ImportConv(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(ConvWeights weights, ReadWeights(c));
  const int64_t channels = c.x().shape[1];
  Conv conv;
  MICRORT_RETURN_IF_ERROR(ReadGroups(c, weights.first, channels, &conv.groups));
  if (channels != ir::kDynamic && channels / conv.groups != weights.second)
    return Invalid("weights for {} channels a group, the input has {}", weights.second,
                   channels / conv.groups);
  MICRORT_RETURN_IF_ERROR(ReadWindow(c, weights.kernel, &conv.window));
  MICRORT_RETURN_IF_ERROR(ApplyAutoPad(c, 0.0f, &conv.window));
  conv.depthwise = conv.groups > 1 && weights.second == 1;
  const int rank = c.x().rank();
  const bool along_depth = rank == 5 && conv.window.height().is_trivial() && conv.window.width().is_trivial();
  if (!along_depth) MICRORT_RETURN_IF_ERROR(CheckVolume(conv.window, false));
  const ir::ValueId x = ToNhwc(c.build, c.input(0), rank);
  const ir::ValueId w = LiftKernel(c, c.input(1));
  return c.Return(
      FromNhwc(c.build, along_depth ? ConvAlongDepth(c, conv, x, w) : ConvVolume(c, conv, x, w), rank));
}

// Each channel by itself, over the elements before and the present one: the state holds those before the
// first.
Status ImportCausalConv(NodeContext& c) {
  const std::string activation = c.String("activation", "none");
  if (activation != "none" && activation != "silu" && activation != "swish")
    return Invalid("activation '{}'", activation);
  MICRORT_ASSIGN_OR_RETURN(ConvWeights weights, ReadWeights(c));
  if (c.x().rank() != 3 || weights.second != 1 || weights.kernel[0] < 1)
    return Invalid("expected an input [N, C, L] and weights [C, 1, K]");
  const int64_t channels = weights.first, history = weights.kernel[0] - 1;
  ir::ValueId state = c.input(3);
  if (!c.has_input(3)) {
    const ir::ValueId batch = c.build.SizesOf(c.input(0), 0, 1);
    const ir::ValueId shape = c.build.Concat({batch, c.build.Integers({channels, history})}, 0);
    state = c.build.Expand({c.Scalar(c.x().dtype, 0), shape});
  }
  const ir::ValueId x = history == 0 ? c.input(0) : c.build.Concat({state, c.input(0)}, 2);
  MICRORT_RETURN_IF_ERROR(c.build.status());
  Conv conv;
  MICRORT_ASSIGN_OR_RETURN(conv.groups, ToInt32(channels, "channels"));
  conv.depthwise = channels > 1;
  conv.window.axes.assign(2, WindowAxis());
  conv.window.axes[1].kernel = static_cast<int32_t>(weights.kernel[0]);
  const ir::ValueId planes = ToNhwc(c.build, x, 3), w = LiftKernel(c, c.input(1));
  ir::ValueId y = FromNhwc(c.build, ConvPlanes(c, conv, planes, w, Bias(c), ir::kNoValue), 3);
  if (activation != "none") y = c.build.Unary(schema::UnaryKind::Silu, y);
  c.SetOutput(0, y);
  if (!c.wants_output(1)) return c.build.status();
  // Not from -history: that would be all where it is 0.
  const ir::ValueId present = history == 0
                                  ? c.build.Slice(x, 2, 0, 0)
                                  : c.build.Slice(x, 2, -history, std::numeric_limits<int64_t>::max());
  c.SetOutput(1, present);
  return c.build.status();
}

}  // namespace

const ImporterList ConvImporters = {
    {"CausalConvWithState", 2, 4, InFloat32<ImportCausalConv>, Types(kFloats).Since(27)},
    {"Conv", 2, 3, InFloat32<ImportConv>, Types(kFloats)},
};

}  // namespace micrort::frontend::onnx
