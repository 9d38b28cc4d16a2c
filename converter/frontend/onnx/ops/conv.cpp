// Convolutions.

#include "converter/frontend/onnx/ops/image.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend {

namespace {

// The sizes of ONNX weights [O, C/groups, K...] of a convolution or [C, O/groups, K...] of a transposed one.
struct Weights {
  int64_t first = 0;
  int64_t second = 0;
  std::vector<int64_t> kernel;
};

Status ReadWeights(const NodeContext& c, Weights* out) {
  const ir::Value& w = c.x(1);
  MICRORT_RETURN_IF_ERROR(CheckImageRank(c.x()));
  if (w.rank() != c.x().rank() || !w.is_static()) {
    return MICRORT_ERROR(kInvalidModel, "weights: expected %d fixed dimensions, found %d", c.x().rank(),
                         w.rank());
  }
  out->first = w.shape[0];
  out->second = w.shape[1];
  out->kernel.assign(w.shape.begin() + 2, w.shape.end());
  return Status();
}

// Groups must divide both channel counts. `in_per_group` is known from the weights or from the input.
Status ReadGroups(NodeContext& c, int64_t outputs, int64_t in_channels, int32_t* groups) {
  const int64_t g = c.Int("group", 1);
  MICRORT_RETURN_IF_ERROR(ToInt32(g, "group", groups));
  if (g < 1 || outputs % g != 0 || in_channels % g != 0) {
    return MICRORT_ERROR(kInvalidModel, "%lld groups of %lld input and %lld output channels",
                         static_cast<long long>(g), static_cast<long long>(in_channels),
                         static_cast<long long>(outputs));
  }
  return Status();
}

// [O,I,K] → [O,I,1,K]; 4-D weights stay.
ir::ValueId LiftKernel(NodeContext& c, ir::ValueId w, int rank) {
  return rank == 3 ? c.build.Reshape(w, {-2, -3, 1, -4}) : w;
}

// x, weights and, if there is one, the bias.
std::vector<ir::ValueId> LayerInputs(const NodeContext& c, ir::ValueId x, ir::ValueId weights) {
  std::vector<ir::ValueId> inputs = {x, weights};
  if (c.has_input(2)) inputs.push_back(c.input(2));
  return inputs;
}

ir::ValueId BuildDepthwise(NodeContext& c, const Window& window) {
  const int rank = c.x().rank();
  // [O,1,KH,KW] → [KH,KW,O]
  const ir::ValueId w = c.build.Reshape(LiftKernel(c, c.input(1), rank), {-2, -4, -5});
  schema::DepthwiseConv2DOptionsT options;
  window.CopyTo(&options);
  const ir::ValueId x = ToNhwc(c, c.input(0), rank);
  return FromNhwc(c, c.build.Add(std::move(options), LayerInputs(c, x, c.build.Transpose(w, {1, 2, 0}))),
                  rank);
}

ir::ValueId BuildConv(NodeContext& c, const Window& window, int32_t groups) {
  const int rank = c.x().rank();
  schema::Conv2DOptionsT options;
  window.CopyTo(&options);
  options.groups = groups;
  const ir::ValueId x = ToNhwc(c, c.input(0), rank);
  const ir::ValueId w = c.build.Transpose(LiftKernel(c, c.input(1), rank), {0, 2, 3, 1});
  return FromNhwc(c, c.build.Add(std::move(options), LayerInputs(c, x, w)), rank);
}

Status ImportConv(NodeContext& c) {
  Weights weights;
  MICRORT_RETURN_IF_ERROR(ReadWeights(c, &weights));
  const int64_t channels = c.x().shape[1];
  int32_t groups = 1;
  MICRORT_RETURN_IF_ERROR(ReadGroups(c, weights.first, channels, &groups));
  if (channels != ir::kDynamic && channels / groups != weights.second) {
    return MICRORT_ERROR(kInvalidModel, "weights for %lld channels a group, the input has %lld",
                         static_cast<long long>(weights.second), static_cast<long long>(channels / groups));
  }
  Window window;
  MICRORT_RETURN_IF_ERROR(ReadWindow(c, weights.kernel, &window));
  MICRORT_RETURN_IF_ERROR(ApplyAutoPad(c, &window));
  const bool depthwise = groups > 1 && weights.second == 1;
  return c.Return(depthwise ? BuildDepthwise(c, window) : BuildConv(c, window, groups));
}

// output_shape (or auto_pad, which means input * stride) is reached by padding; see ONNX's ConvTranspose.
Status PadToOutputShape(NodeContext& c, const int32_t* output_pad, Window* window) {
  const std::string mode = c.String("auto_pad", "NOTSET");
  const std::vector<int64_t> wanted = c.Ints("output_shape");
  if (wanted.empty() && mode != "SAME_UPPER" && mode != "SAME_LOWER") return Status();
  const int rank = c.x().rank();
  const int spatial = rank - 2;
  if (!wanted.empty() && wanted.size() != static_cast<size_t>(spatial)) {
    return MICRORT_ERROR(kInvalidModel, "output_shape: expected %d entries, found %zu", spatial,
                         wanted.size());
  }
  for (int i = 2 - spatial; i < 2; ++i) {
    const int64_t in = c.x().shape[static_cast<size_t>(rank - 2 + i)];
    if (in == ir::kDynamic) return MICRORT_ERROR(kUnsupported, "output_shape needs an input of fixed size");
    const int64_t asked =
        wanted.empty() ? in * window->stride[i] : wanted[static_cast<size_t>(i - 2 + spatial)];
    int32_t out = 0;
    MICRORT_RETURN_IF_ERROR(ToInt32(asked, "output_shape", &out));
    const int64_t total = window->stride[i] * (in - 1) + output_pad[i] + window->span(i) - out;
    if (total < 0) {
      return MICRORT_ERROR(kUnsupported, "output_shape is larger than the result without padding");
    }
    const int64_t half = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
    MICRORT_RETURN_IF_ERROR(ToInt32(half, "padding", &window->pad_begin[i]));
    MICRORT_RETURN_IF_ERROR(ToInt32(total - half, "padding", &window->pad_end[i]));
  }
  return Status();
}

// [C, O/g, KH, KW] → [O, KH, KW, C/g]
ir::ValueId TransposedWeights(NodeContext& c, const Weights& weights, int32_t groups) {
  const ir::ValueId w = LiftKernel(c, c.input(1), c.x().rank());
  if (groups == 1) return c.build.Transpose(w, {1, 2, 3, 0});
  const auto in_per_group = static_cast<int32_t>(weights.first / groups);
  const auto kh = static_cast<int32_t>(weights.kernel.size() == 2 ? weights.kernel[0] : 1);
  const auto kw = static_cast<int32_t>(weights.kernel.back());
  const auto out_per_group = static_cast<int32_t>(weights.second);
  const ir::ValueId grouped = c.build.Reshape(w, {groups, in_per_group, out_per_group, kh, kw});
  return c.build.Reshape(c.build.Transpose(grouped, {0, 2, 3, 4, 1}), {kInferDim, kh, kw, in_per_group});
}

Status ReadOutputPadding(NodeContext& c, int32_t* to) {
  const std::vector<int64_t> list = c.Ints("output_padding");
  const auto spatial = static_cast<size_t>(c.x().rank() - 2);
  if (list.empty()) return Status();
  if (list.size() != spatial) {
    return MICRORT_ERROR(kInvalidModel, "output_padding: expected %zu entries, found %zu", spatial,
                         list.size());
  }
  for (size_t i = 0; i < spatial; ++i) {
    MICRORT_RETURN_IF_ERROR(ToInt32(list[i], "output_padding", &to[2 - spatial + i]));
  }
  return Status();
}

Status ImportConvTranspose(NodeContext& c) {
  Weights weights;
  MICRORT_RETURN_IF_ERROR(ReadWeights(c, &weights));
  int32_t groups = 1;
  MICRORT_RETURN_IF_ERROR(ReadGroups(c, 0, weights.first, &groups));
  Window window;
  MICRORT_RETURN_IF_ERROR(ReadWindow(c, weights.kernel, &window));
  int32_t output_pad[2] = {0, 0};
  MICRORT_RETURN_IF_ERROR(ReadOutputPadding(c, output_pad));
  MICRORT_RETURN_IF_ERROR(PadToOutputShape(c, output_pad, &window));
  schema::ConvTranspose2DOptionsT options;
  window.CopyTo(&options);
  options.groups = groups;
  options.output_pad_h = output_pad[0];
  options.output_pad_w = output_pad[1];
  const int rank = c.x().rank();
  const ir::ValueId x = ToNhwc(c, c.input(0), rank);
  const ir::ValueId w = TransposedWeights(c, weights, groups);
  return c.Return(FromNhwc(c, c.build.Add(std::move(options), LayerInputs(c, x, w)), rank));
}

constexpr OpImporter kImporters[] = {
    {"Conv", 2, 3, ImportConv},
    {"ConvTranspose", 2, 3, ImportConvTranspose},
};

}  // namespace

Span<const OpImporter> ConvImporters() { return kImporters; }

}  // namespace micrort::frontend
