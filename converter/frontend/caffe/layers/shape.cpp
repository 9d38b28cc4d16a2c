// Layers that only move or rename elements.

#include <algorithm>

#include "converter/frontend/caffe/registry.h"
#include "converter/frontend/common/axes.h"

namespace micrort::frontend::caffe {

namespace {

Status ImportDropout(LayerContext& c) { return c.Return(c.bottom()); }

Status ImportSplit(LayerContext& c) {
  for (size_t i = 0; i < c.top_count(); ++i) c.SetTop(i, c.bottom());
  return Status();
}

Status ImportSilence(LayerContext&) { return Status(); }

// Dimensions axis to end_axis become one.
Status ImportFlatten(LayerContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int begin, c.Axis(c.layer.flatten_param().axis(), c.rank()));
  MICRORT_ASSIGN_OR_RETURN(const int end, c.Axis(c.layer.flatten_param().end_axis(), c.rank()));
  if (begin > end) return Invalid("axis {} is behind end_axis {}", begin, end);
  std::vector<int32_t> shape;
  for (int i = 0; i < c.rank(); ++i) {
    if (i < begin || i > end) shape.push_back(CopyDim(i));
    if (i == begin) shape.push_back(begin == end ? CopyDim(i) : kInferDim);
  }
  return c.Return(begin == end ? c.bottom() : c.build.Reshape(c.bottom(), shape));
}

// The dimensions [axis, axis + num_axes) become those of `shape`, in which 0 copies the one at its place.
Status ImportReshape(LayerContext& c) {
  const auto& p = c.layer.reshape_param();
  // One more than there are axes: nothing but new dimensions of size 1 can follow the last one.
  MICRORT_ASSIGN_OR_RETURN(const int begin, c.Axis(p.axis(), c.rank() + 1));
  const int64_t end = p.num_axes() == -1 ? c.rank() : int64_t{begin} + p.num_axes();
  if (end < begin || end > c.rank())
    return Invalid("{} axes from axis {} of {}", p.num_axes(), begin, c.rank());
  std::vector<int32_t> shape = ir::CopiedDims(begin);
  for (int i = 0; i < p.shape().dim_size(); ++i) {
    const int64_t dim = p.shape().dim(i);
    MICRORT_RETURN_IF_ERROR(ExpectRange("dim", dim, -1, INT32_MAX));
    if (dim == 0 && begin + i >= c.rank()) return Invalid("dim {} copies nothing", i);
    shape.push_back(dim == 0 ? CopyDim(begin + i) : static_cast<int32_t>(dim));
  }
  for (auto i = static_cast<int>(end); i < c.rank(); ++i) shape.push_back(CopyDim(i));
  if (std::count(shape.begin(), shape.end(), kInferDim) > 1) return Invalid("more than one dim is -1");
  return c.Return(c.build.Reshape(c.bottom(), shape));
}

// Axes that are not named follow in their order.
Status ImportPermute(LayerContext& c) {
  std::vector<int32_t> order;
  for (const uint32_t axis : c.layer.permute_param().order()) {
    MICRORT_RETURN_IF_ERROR(ExpectRange("order", axis, 0, c.rank() - 1));
    order.push_back(static_cast<int32_t>(axis));
  }
  for (int i = 0; i < c.rank(); ++i) {
    const auto named = std::count(order.begin(), order.end(), i);
    if (named > 1) return Invalid("axis {} stands twice in the order", i);
    if (named == 0) order.push_back(i);
  }
  return c.Return(c.build.Transpose(c.bottom(), order));
}

Status ImportTile(LayerContext& c) {
  const auto& p = c.layer.tile_param();
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(p.axis(), c.rank()));
  MICRORT_RETURN_IF_ERROR(ExpectRange("tiles", p.tiles(), 1, kMaxExtent));
  schema::TileOptionsT options;
  options.repeats.assign(static_cast<size_t>(c.rank()), 1);
  options.repeats[static_cast<size_t>(axis)] = p.tiles();
  return c.Return(c.build.Add(std::move(options), {c.bottom()}));
}

Status ImportShuffleChannel(LayerContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(0, 1, 2));
  if (!c.layer.shuffle_channel_param().has_group()) return Invalid("group is missing");
  const auto channels = static_cast<int32_t>(c.dim(1));
  MICRORT_RETURN_IF_ERROR(ExpectRange("group", c.layer.shuffle_channel_param().group(), 1, channels));
  const auto groups = static_cast<int32_t>(c.layer.shuffle_channel_param().group());
  if (channels % groups != 0) return Invalid("{} groups of {} channels", groups, channels);
  const ir::ValueId grouped =
      c.build.Reshape(c.bottom(), {CopyDim(0), groups, channels / groups, CopyDim(2), CopyDim(3)});
  const ir::ValueId turned = c.build.Transpose(grouped, {0, 2, 1, 3, 4});
  return c.Return(c.build.Reshape(turned, {CopyDim(0), channels, CopyDim(3), CopyDim(4)}));
}

// A shape of which the first dimension stays, and the others are products.
Result<ir::ValueId> ReshapeTo(LayerContext& c, ir::ValueId x, std::initializer_list<int64_t> sizes) {
  std::vector<int32_t> shape = {CopyDim(0)};
  for (const int64_t size : sizes) {
    shape.push_back(0);
    MICRORT_ASSIGN_OR_RETURN(shape.back(), ToInt32(size, "a dimension"));
  }
  return c.build.Reshape(x, shape);
}

// Rows and columns move into channels, or back, in the order of Darknet: forward it reads the image as if it
// had stride^2 fewer channels and was stride times higher and wider.
Status ImportReorg(LayerContext& c) {
  const auto& p = c.layer.reorg_param();
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(0, 1, 4));
  MICRORT_RETURN_IF_ERROR(ExpectRange("stride", p.stride(), 1, 1024));
  const int64_t s = p.stride(), channels = c.dim(1), h = c.dim(2), w = c.dim(3);
  if (channels % (s * s) != 0 || (!p.reverse() && (h % s != 0 || w % s != 0)))
    return Invalid("a stride of {} does not divide {} channels of {}x{}", s, channels, h, w);
  const int64_t inner = channels / (s * s);
  ir::ValueId parts = ir::kNoValue, y = ir::kNoValue;
  if (p.reverse()) {
    MICRORT_ASSIGN_OR_RETURN(parts, ReshapeTo(c, c.bottom(), {s, s, inner * h, w}));
    const ir::ValueId turned = c.build.Transpose(parts, {0, 3, 1, 4, 2});
    MICRORT_ASSIGN_OR_RETURN(y, ReshapeTo(c, turned, {inner, h * s, w * s}));
    return c.Return(y);
  }
  MICRORT_ASSIGN_OR_RETURN(parts, ReshapeTo(c, c.bottom(), {inner * h, s, w, s}));
  const ir::ValueId turned = c.build.Transpose(parts, {0, 2, 4, 1, 3});
  MICRORT_ASSIGN_OR_RETURN(y, ReshapeTo(c, turned, {channels * s * s, h / s, w / s}));
  return c.Return(y);
}

}  // namespace

const ImporterList ShapeLayers = {
    {"Dropout", 1, 1, ImportDropout},  {"Flatten", 1, 1, ImportFlatten},
    {"Permute", 1, 1, ImportPermute},  {"Reorg", 1, 1, ImportReorg},
    {"Reshape", 1, 1, ImportReshape},  {"ShuffleChannel", 1, 1, ImportShuffleChannel},
    {"Silence", 1, -1, ImportSilence}, {"Split", 1, 1, ImportSplit},
    {"Tile", 1, 1, ImportTile},
};

}  // namespace micrort::frontend::caffe
