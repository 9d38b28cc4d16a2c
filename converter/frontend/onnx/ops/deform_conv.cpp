// DeformConv: every tap of the kernel reads where its offset says, so the taps
// of all positions are sampled first, and a convolution with a 1 x 1 kernel
// over taps and channels follows.

#include "converter/frontend/onnx/ops/image.h"
#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

constexpr size_t kOffsetInput = 2;
constexpr size_t kBiasInput = 3;
constexpr size_t kMaskInput = 4;
constexpr int64_t kMaxOffsets = 1 << 14;  // there are operators for every group of them

struct DeformConv {
  Window window;
  int32_t groups = 1;
  int32_t offset_groups = 1;

  int32_t rows() const { return static_cast<int32_t>(window.height().kernel); }
  int32_t columns() const { return static_cast<int32_t>(window.width().kernel); }
  int32_t taps() const { return rows() * columns(); }
};

Status Read(NodeContext& c, DeformConv* out) {
  MICRORT_ASSIGN_OR_RETURN(ConvWeights weights, ReadWeights(c));
  if (c.x().rank() != 4 || c.x(kOffsetInput).rank() != 4)
    return Unsupported("input of {} and offset of {} dimensions: expected 4", c.x().rank(),
                       c.x(kOffsetInput).rank());
  MICRORT_RETURN_IF_ERROR(ReadGroups(c, weights.first, c.x().shape[1], &out->groups));
  MICRORT_RETURN_IF_ERROR(ReadWindow(c, weights.kernel, &out->window));
  MICRORT_ASSIGN_OR_RETURN(out->offset_groups, ToInt32(c.Int("offset_group", 1), "offset_group"));
  const int64_t channels = c.x().shape[1];
  const int64_t offsets = c.x(kOffsetInput).shape[1];
  const int64_t taps = out->window.height().kernel * out->window.width().kernel;
  if (offsets > kMaxOffsets) return Unsupported("{} offsets: expected up to {}", offsets, kMaxOffsets);
  if (out->offset_groups < 1 || channels % out->offset_groups != 0 || taps > offsets ||
      offsets != int64_t{2} * out->offset_groups * taps) {
    return Invalid("{} offset groups, {} taps and {} channels do not fit {} offsets", out->offset_groups,
                   taps, channels, offsets);
  }
  return Status();
}

// Where the taps along one axis look without offsets: shaped so that it
// broadcasts with [N,KH,KW,OH,OW].
ir::ValueId Positions(NodeContext& c, const WindowAxis& axis, int dim) {
  const ir::ValueId count = ScalarAt(c, c.build.ShapeOf(c.input(kOffsetInput)), 2 + dim);
  const ir::ValueId outputs = c.build.Cast(Arange(c, count), DType::kFloat32);
  std::vector<float> taps;
  for (int32_t k = 0; k < axis.kernel; ++k)
    taps.push_back(static_cast<float>(int64_t{k} * axis.dilation - axis.pad_begin));
  const ir::ValueId starts = c.build.Mul(outputs, c.build.Scalar(static_cast<float>(axis.stride)));
  const bool rows = dim == 0;
  const ir::ValueId along_outputs =
      c.build.Reshape(starts, rows ? std::vector<int32_t>{kInferDim, 1} : std::vector<int32_t>{kInferDim});
  const std::vector<int64_t> tap_shape =
      rows ? std::vector<int64_t>{axis.kernel, 1, 1, 1} : std::vector<int64_t>{axis.kernel, 1, 1};
  return c.build.Add(along_outputs, c.build.Constant(tap_shape, taps));
}

// The coordinates of offset group g, [N,KH,KW,OH,OW,2], x before y.
ir::ValueId Grid(NodeContext& c, const DeformConv& d, int32_t g) {
  const int32_t taps = d.taps();
  const ir::ValueId group =
      c.build.Slice(c.input(kOffsetInput), 1, int64_t{2} * g * taps, int64_t{2} * (g + 1) * taps);
  const ir::ValueId pairs =
      c.build.Reshape(group, {CopyDim(0), d.rows(), d.columns(), 2, CopyDim(2), CopyDim(3)});
  ir::ValueId parts[2];
  for (int dim = 0; dim < 2; ++dim) {
    const ir::ValueId offsets = c.build.Reshape(c.build.Slice(pairs, 3, dim, dim + 1),
                                                {CopyDim(0), CopyDim(1), CopyDim(2), CopyDim(4), CopyDim(5)});
    const ir::ValueId at = c.build.Add(offsets, Positions(c, d.window.axes[static_cast<size_t>(dim)], dim));
    parts[dim] = c.build.Reshape(at, {CopyDim(0), CopyDim(1), CopyDim(2), CopyDim(3), CopyDim(4), 1});
  }
  return c.build.Concat({parts[1], parts[0]}, 5);
}

// What the taps of offset group g see of its channels of x [N,H,W,C]:
// [N,KH*KW,OH,OW,C/groups].
ir::ValueId SampleTaps(NodeContext& c, const DeformConv& d, int32_t g, ir::ValueId x) {
  const int64_t channels = c.x().shape[1] / d.offset_groups;
  schema::GridSampleOptionsT options;
  options.mode = schema::ResizeMode::Linear;
  options.coordinates = schema::GridCoordinates::Elements;
  const ir::ValueId part = d.offset_groups == 1 ? x : c.build.Slice(x, 3, g * channels, (g + 1) * channels);
  const ir::ValueId grid = Grid(c, d, g);
  const ir::ValueId seen = c.build.Add(std::move(options), {part, grid});
  const ir::ValueId y = c.build.Reshape(seen, {CopyDim(0), d.taps(), CopyDim(3), CopyDim(4), CopyDim(5)});
  if (!c.has_input(kMaskInput)) return y;
  const ir::ValueId mask =
      c.build.Slice(c.input(kMaskInput), 1, int64_t{g} * d.taps(), int64_t{g + 1} * d.taps());
  return c.build.Mul(y, c.build.Reshape(mask, {CopyDim(0), CopyDim(1), CopyDim(2), CopyDim(3), 1}));
}

Status ImportDeformConv(NodeContext& c) {
  DeformConv d;
  MICRORT_RETURN_IF_ERROR(Read(c, &d));
  const ir::ValueId x = ToNhwc(c.build, c.input(0), 4);
  std::vector<ir::ValueId> parts;
  for (int32_t g = 0; g < d.offset_groups && c.build.status().ok(); ++g)
    parts.push_back(SampleTaps(c, d, g, x));
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const ir::ValueId seen = parts.size() == 1 ? parts[0] : c.build.Concat(parts, 4);
  // [N,K,OH,OW,groups,C/groups] → [N,OH,OW,groups,K,C/groups], one pixel with K
  // * C channels
  const auto per_group = static_cast<int32_t>(c.x().shape[1] / d.groups);
  const ir::ValueId grouped =
      c.build.Reshape(seen, {CopyDim(0), CopyDim(1), CopyDim(2), CopyDim(3), d.groups, per_group});
  const ir::ValueId moved = c.build.Transpose(grouped, {0, 2, 3, 4, 1, 5});
  const ir::ValueId pixels =
      ReshapeTo(c, moved, {OneDim(moved, 0), OneDim(moved, 1), OneDim(moved, 2), {moved, 3, 6}});
  const ir::ValueId w = c.build.Transpose(c.input(1), {0, 2, 3, 1});
  MICRORT_ASSIGN_OR_RETURN(const int32_t depth,
                           ToInt32(int64_t{d.taps()} * per_group, "channels of all taps"));
  const ir::ValueId weights = c.build.Reshape(w, {CopyDim(0), 1, 1, depth});
  schema::Conv2DOptionsT conv;
  conv.groups = d.groups;
  std::vector<ir::ValueId> inputs = {pixels, weights};
  if (c.has_input(kBiasInput)) inputs.push_back(c.input(kBiasInput));
  return c.Return(FromNhwc(c.build, c.build.Add(std::move(conv), inputs), 4));
}

}  // namespace

const ImporterList DeformConvImporters = {
    {"DeformConv", 3, 5, InFloat32<ImportDeformConv>, Types(kFloats).Since(19)},
};

}  // namespace micrort::frontend::onnx
