// Between space, depth and batch.

#include <limits>

#include "converter/frontend/tensorflow/ops/image.h"
#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

Status ReadBlock(const OpContext& c, int32_t* block) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  MICRORT_RETURN_IF_ERROR(ToInt32(c.Int("block_size", 0), "block_size", block));
  if (*block >= 1 && *block <= 4096) return Status();
  return MICRORT_ERROR(kInvalidModel, "block_size %d", *block);
}

Status FixedImage(const OpContext& c, ir::ValueId x, int64_t* h, int64_t* w, int64_t* channels) {
  *h = c.value(x).shape[1];
  *w = c.value(x).shape[2];
  *channels = c.value(x).shape[3];
  if (*h != ir::kDynamic && *w != ir::kDynamic && *channels != ir::kDynamic) return Status();
  return MICRORT_ERROR(kUnsupported, "the image's size is not fixed; give --input-shape");
}

Status Dims(std::initializer_list<int64_t> dims, std::vector<int32_t>* out) {
  for (const int64_t d : dims) {
    out->emplace_back();
    MICRORT_RETURN_IF_ERROR(ToInt32(d, "dimension", &out->back()));
  }
  return Status();
}

// The same for an image whose size only a run knows: shapes are computed from its own.
ir::ValueId DepthToSpaceComputed(OpContext& c, ir::ValueId x, int64_t block, int64_t depth) {
  ir::Builder& b = c.build;
  const ir::ValueId image = b.Slice(b.ShapeOf(x), 0, 0, 3);
  const ir::ValueId parts = b.Concat({image, b.Integers({block, block, depth})}, 0);
  const ir::ValueId larger = b.Binary(schema::BinaryKind::Mul, image, b.Integers({1, block, block}));
  const ir::ValueId shape = b.Concat({larger, b.Integers({depth})}, 0);
  const ir::ValueId cut = b.Add(schema::ReshapeOptionsT(), {x, parts});
  return b.Add(schema::ReshapeOptionsT(), {b.Transpose(cut, {0, 1, 3, 2, 4, 5}), shape});
}

// Channels are [block row, block column, channel of the output].
Status ImportDepthToSpace(OpContext& c) {
  int32_t b = 0;
  MICRORT_RETURN_IF_ERROR(ReadBlock(c, &b));
  const ir::ValueId x = ToNhwc(c, c.input(0));
  const std::vector<int64_t>& dims = c.value(x).shape;
  const int64_t h = dims[1], w = dims[2], channels = dims[3], block = int64_t{b} * b;
  if (channels == ir::kDynamic) return MICRORT_ERROR(kUnsupported, "the number of channels is not fixed");
  if (channels % block != 0) {
    return MICRORT_ERROR(kInvalidModel, "%lld channels in blocks of %d", static_cast<long long>(channels), b);
  }
  const int64_t depth = channels / block;
  if (h == ir::kDynamic || w == ir::kDynamic) {
    return c.Return(FromNhwc(c, DepthToSpaceComputed(c, x, b, depth)));
  }
  std::vector<int32_t> parts = {kInferDim}, shape = {kInferDim};
  MICRORT_RETURN_IF_ERROR(Dims({h, w, b, b, depth}, &parts));
  MICRORT_RETURN_IF_ERROR(Dims({h * b, w * b, depth}, &shape));
  const ir::ValueId moved = c.build.Transpose(c.build.Reshape(x, parts), {0, 1, 3, 2, 4, 5});
  return c.Return(FromNhwc(c, c.build.Reshape(moved, shape)));
}

Status ImportSpaceToDepth(OpContext& c) {
  int32_t b = 0;
  int64_t h = 0, w = 0, channels = 0;
  MICRORT_RETURN_IF_ERROR(ReadBlock(c, &b));
  const ir::ValueId x = ToNhwc(c, c.input(0));
  MICRORT_RETURN_IF_ERROR(FixedImage(c, x, &h, &w, &channels));
  if (h % b != 0 || w % b != 0) return MICRORT_ERROR(kInvalidModel, "the image is no multiple of %d", b);
  std::vector<int32_t> parts = {kInferDim}, shape = {kInferDim};
  MICRORT_RETURN_IF_ERROR(Dims({h / b, b, w / b, b, channels}, &parts));
  MICRORT_RETURN_IF_ERROR(Dims({h / b, w / b, channels * b * b}, &shape));
  const ir::ValueId moved = c.build.Transpose(c.build.Reshape(x, parts), {0, 1, 3, 2, 4, 5});
  return c.Return(FromNhwc(c, c.build.Reshape(moved, shape)));
}

// Block sizes, and the pads or crops of the same dimensions, which follow the batch.
struct Blocks {
  std::vector<int64_t> sizes;
  std::vector<int64_t> edges;  // begin and end of each
};

// inputs: x, sizes, edges; or x and edges, with one size for height and width as an attribute.
Status ReadBlocks(const OpContext& c, Blocks* out) {
  if (c.input_count() == 2) out->sizes.assign(2, c.Int("block_size", 0));
  if (c.input_count() == 3) MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(1, &out->sizes));
  MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(c.input_count() - 1, &out->edges));
  const size_t n = out->sizes.size();
  if (n == 0 || n > 3 || out->edges.size() != 2 * n || c.rank() < static_cast<int>(n) + 1 ||
      c.rank() + static_cast<int>(n) > 8) {
    return MICRORT_ERROR(kUnsupported, "%zu block sizes for %d dimensions", n, c.rank());
  }
  for (const int64_t size : out->sizes) {
    if (size < 1 || size > 4096)
      return MICRORT_ERROR(kInvalidModel, "block size %lld", static_cast<long long>(size));
  }
  for (const int64_t edge : out->edges) {
    if (edge < 0 || edge > (1 << 24))
      return MICRORT_ERROR(kInvalidModel, "pad %lld", static_cast<long long>(edge));
  }
  for (int i = 1; i < c.rank(); ++i) {
    if (c.x().shape[static_cast<size_t>(i)] == ir::kDynamic) {
      return MICRORT_ERROR(kUnsupported, "the size of dimension %d is not fixed; give --input-shape", i);
    }
  }
  return Status();
}

Status ImportSpaceToBatch(OpContext& c) {
  Blocks blocks;
  MICRORT_RETURN_IF_ERROR(ReadBlocks(c, &blocks));
  const size_t n = blocks.sizes.size();
  const auto rank = static_cast<size_t>(c.rank());
  schema::PadOptionsT pad;
  pad.pads.assign(2 * rank, 0);
  std::vector<int32_t> parts = {kInferDim}, permutation, shape = {kInferDim};
  int64_t product = 1;
  for (size_t i = 0; i < n; ++i) {
    pad.pads[1 + i] = blocks.edges[2 * i];
    pad.pads[rank + 1 + i] = blocks.edges[2 * i + 1];
    const int64_t size = c.x().shape[1 + i] + blocks.edges[2 * i] + blocks.edges[2 * i + 1];
    if (size % blocks.sizes[i] != 0) {
      return MICRORT_ERROR(kInvalidModel, "%lld elements in blocks of %lld", static_cast<long long>(size),
                           static_cast<long long>(blocks.sizes[i]));
    }
    MICRORT_RETURN_IF_ERROR(Dims({size / blocks.sizes[i], blocks.sizes[i]}, &parts));
    MICRORT_RETURN_IF_ERROR(Dims({size / blocks.sizes[i]}, &shape));
    permutation.push_back(static_cast<int32_t>(2 + 2 * i));
    product *= blocks.sizes[i];
  }
  permutation.push_back(0);
  for (size_t i = 0; i < n; ++i) permutation.push_back(static_cast<int32_t>(1 + 2 * i));
  for (size_t i = n + 1; i < rank; ++i) {
    permutation.push_back(static_cast<int32_t>(i + n));
    MICRORT_RETURN_IF_ERROR(Dims({c.x().shape[i]}, &parts));
    MICRORT_RETURN_IF_ERROR(Dims({c.x().shape[i]}, &shape));
  }
  const ir::ValueId padded = c.build.Add(std::move(pad), {c.input(0)});
  return c.Return(c.build.Reshape(c.build.Transpose(c.build.Reshape(padded, parts), permutation), shape));
}

Status ImportBatchToSpace(OpContext& c) {
  Blocks blocks;
  MICRORT_RETURN_IF_ERROR(ReadBlocks(c, &blocks));
  const size_t n = blocks.sizes.size();
  const auto rank = static_cast<size_t>(c.rank());
  std::vector<int32_t> parts, permutation = {static_cast<int32_t>(n)}, shape = {kInferDim};
  for (const int64_t size : blocks.sizes) MICRORT_RETURN_IF_ERROR(Dims({size}, &parts));
  parts.push_back(kInferDim);
  for (size_t i = 1; i < rank; ++i) MICRORT_RETURN_IF_ERROR(Dims({c.x().shape[i]}, &parts));
  schema::SliceOptionsT crop;
  for (size_t i = 0; i < n; ++i) {
    permutation.push_back(static_cast<int32_t>(n + 1 + i));
    permutation.push_back(static_cast<int32_t>(i));
    const int64_t size = c.x().shape[1 + i] * blocks.sizes[i];
    MICRORT_RETURN_IF_ERROR(Dims({size}, &shape));
    crop.axes.push_back(static_cast<int32_t>(1 + i));
    crop.starts.push_back(blocks.edges[2 * i]);
    crop.ends.push_back(size - blocks.edges[2 * i + 1]);
    crop.steps.push_back(1);
  }
  for (size_t i = n + 1; i < rank; ++i) {
    permutation.push_back(static_cast<int32_t>(n + i));
    MICRORT_RETURN_IF_ERROR(Dims({c.x().shape[i]}, &shape));
  }
  const ir::ValueId moved = c.build.Transpose(c.build.Reshape(c.input(0), parts), permutation);
  return c.Return(c.build.Add(std::move(crop), {c.build.Reshape(moved, shape)}));
}

// Windows of images, one after the other in the channels of the output: row, column, channel.
Status ImportPatches(OpContext& c) {
  Window window;
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  MICRORT_RETURN_IF_ERROR(ReadSpatial(c, "ksizes", &window.kernel));
  MICRORT_RETURN_IF_ERROR(ReadSpatial(c, "rates", &window.dilation));
  ir::ValueId x = c.input(0);
  MICRORT_RETURN_IF_ERROR(ReadWindow(c, std::nullopt, &x, &window));
  int64_t taps = int64_t{window.kernel[0]} * window.kernel[1];
  if (taps > 1024) return MICRORT_ERROR(kUnsupported, "a window of %lld", static_cast<long long>(taps));
  schema::PadOptionsT pad;
  pad.pads = {0, window.pad_begin[0], window.pad_begin[1], 0, 0, window.pad_end[0], window.pad_end[1], 0};
  x = c.build.Add(std::move(pad), {x});
  std::vector<ir::ValueId> parts;
  for (int32_t row = 0; row < window.kernel[0]; ++row) {
    for (int32_t column = 0; column < window.kernel[1]; ++column) {
      schema::SliceOptionsT slice;
      const int32_t tap[] = {row, column};
      for (int i = 0; i < 2; ++i) {
        const int64_t before = int64_t{tap[i]} * window.dilation[i];
        const int64_t after = window.span(i) - 1 - before;
        slice.axes.push_back(1 + i);
        slice.starts.push_back(before);
        slice.ends.push_back(after == 0 ? std::numeric_limits<int64_t>::max() : -after);
        slice.steps.push_back(window.stride[i]);
      }
      parts.push_back(c.build.Add(std::move(slice), {x}));
    }
  }
  return c.Return(parts.size() == 1 ? parts[0] : c.build.Concat(parts, 3));
}

}  // namespace

Span<const OpImporter> SpaceOps() {
  static constexpr OpImporter kImporters[] = {
      {"BatchToSpace", 2, 2, ImportBatchToSpace, "images whose size is not fixed"},
      {"BatchToSpaceND", 3, 3, ImportBatchToSpace, "images whose size is not fixed"},
      {"DepthToSpace", 1, 1, ImportDepthToSpace, "a number of channels that is not fixed"},
      {"ExtractImagePatches", 1, 1, ImportPatches, "images whose size is not fixed where padding is SAME"},
      {"SpaceToBatch", 2, 2, ImportSpaceToBatch, "images whose size is not fixed"},
      {"SpaceToBatchND", 3, 3, ImportSpaceToBatch, "images whose size is not fixed"},
      {"SpaceToDepth", 1, 1, ImportSpaceToDepth, "images whose size is not fixed"},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tensorflow
