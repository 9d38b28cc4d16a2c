#include "converter/frontend/common/blocks.h"

#include <limits>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/common/sizes.h"

namespace micrort::frontend {

namespace {

constexpr int64_t kLargestBlock = 1 << 15, kLargestBorder = 1 << 24;

Status CheckBlock(int64_t block) {
  return block >= 1 && block <= kLargestBlock ? Status() : Invalid("block size {}", block);
}

Status CheckMultiple(const Size& size, int64_t block) {
  if (!size.is_fixed() || size.fixed % block == 0) return Status();
  return Invalid("{} elements in blocks of {}", size.fixed, block);
}

Status CheckCounts(const ir::Value& x, size_t sizes, size_t borders) {
  if (sizes >= 1 && static_cast<int>(sizes) < x.rank() && sizes <= 3 && borders == 2 * sizes) return Status();
  return Invalid("{} block sizes and {} borders of {} dimensions", sizes, borders, x.rank());
}

// The begins, or the ends, of what the graph computes.
ir::ValueId Column(ir::Builder& build, const SpatialBlocks& blocks, int column) {
  return build.Reshape(build.Slice(blocks.computed, 1, column, column + 1), {ir::kInferDim});
}

ir::ValueId PadByComputed(ir::Builder& build, ir::ValueId x, const SpatialBlocks& blocks) {
  const auto rank = static_cast<size_t>(build.graph().value(x).rank());
  const ir::ValueId batch = build.Integers({0}),
                    rest = build.Integers(std::vector<int64_t>(rank - 1 - blocks.count(), 0));
  const ir::ValueId pads =
      build.Concat({batch, Column(build, blocks, 0), rest, batch, Column(build, blocks, 1), rest}, 0);
  return build.Add(schema::PadOptionsT(), {x, pads});
}

ir::ValueId PadSpace(ir::Builder& build, ir::ValueId x, const SpatialBlocks& blocks) {
  if (blocks.computed != ir::kNoValue) return PadByComputed(build, x, blocks);
  schema::PadOptionsT options;
  const auto rank = static_cast<size_t>(build.graph().value(x).rank());
  options.pads.resize(2 * rank);
  for (size_t i = 0; i < blocks.count(); ++i) {
    options.pads[1 + i] = blocks.begins[i];
    options.pads[rank + 1 + i] = blocks.ends[i];
  }
  return build.Add(std::move(options), {x});
}

ir::ValueId CutByComputed(ir::Builder& build, ir::ValueId x, const SpatialBlocks& blocks) {
  const auto count = static_cast<int64_t>(blocks.count());
  std::vector<int64_t> axes, steps(blocks.count(), 1);
  for (int64_t i = 1; i <= count; ++i) axes.push_back(i);
  const ir::ValueId sizes = build.SizesOf(x, 1, 1 + count);
  const ir::ValueId ends = build.Sub(sizes, Column(build, blocks, 1));
  return build.Add(schema::SliceOptionsT(),
                   {x, Column(build, blocks, 0), ends, build.Integers(axes), build.Integers(steps)});
}

// Cuts [N,spatial...,rest...] from dimension 1 on.
ir::ValueId CutSpace(ir::Builder& build, ir::ValueId x, const SpatialBlocks& blocks) {
  if (blocks.computed != ir::kNoValue) return CutByComputed(build, x, blocks);
  schema::SliceOptionsT cut;
  for (size_t i = 0; i < blocks.count(); ++i) {
    cut.axes.push_back(static_cast<int32_t>(i + 1));
    cut.starts.push_back(blocks.begins[i]);
    // From the end: sizes may be open.
    cut.ends.push_back(blocks.ends[i] == 0 ? std::numeric_limits<int64_t>::max() : -blocks.ends[i]);
    cut.steps.push_back(1);
  }
  return build.Add(std::move(cut), {x});
}

}  // namespace

Result<ir::ValueId> DepthToSpace(ir::Builder& build, ir::ValueId x, int64_t block) {
  MICRORT_RETURN_IF_ERROR(CheckBlock(block));
  Sizes sizes(build);
  const Size n = sizes.Of(x, 0), h = sizes.Of(x, 1), w = sizes.Of(x, 2), channels = sizes.Of(x, 3);
  if (!channels.is_fixed()) return Unsupported("the number of channels is not fixed");
  MICRORT_RETURN_IF_ERROR(CheckMultiple(channels, block * block));
  const Size depth = sizes.Over(channels, block * block);
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId cut, sizes.Reshape(x, {n, h, w, block, block, depth}));
  const ir::ValueId moved = build.Transpose(cut, {0, 1, 3, 2, 4, 5});
  return sizes.Reshape(moved, {n, sizes.Times(h, block), sizes.Times(w, block), depth});
}

Result<ir::ValueId> SpaceToDepth(ir::Builder& build, ir::ValueId x, int64_t block) {
  MICRORT_RETURN_IF_ERROR(CheckBlock(block));
  Sizes sizes(build);
  const Size n = sizes.Of(x, 0), channels = sizes.Of(x, 3);
  MICRORT_RETURN_IF_ERROR(CheckMultiple(sizes.Of(x, 1), block));
  MICRORT_RETURN_IF_ERROR(CheckMultiple(sizes.Of(x, 2), block));
  const Size h = sizes.Over(sizes.Of(x, 1), block), w = sizes.Over(sizes.Of(x, 2), block);
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId cut, sizes.Reshape(x, {n, h, block, w, block, channels}));
  const ir::ValueId moved = build.Transpose(cut, {0, 1, 3, 2, 4, 5});
  return sizes.Reshape(moved, {n, h, w, sizes.Times(channels, block * block)});
}

Result<SpatialBlocks> ReadSpatialBlocks(const ir::Value& x, std::vector<int64_t> sizes,
                                        const std::vector<int64_t>& borders) {
  MICRORT_RETURN_IF_ERROR(CheckCounts(x, sizes.size(), borders.size()));
  SpatialBlocks blocks;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t begin = borders[2 * i], end = borders[2 * i + 1];
    blocks.begins.push_back(begin);
    blocks.ends.push_back(end);
    const bool fits = begin >= 0 && begin <= kLargestBorder && end >= 0 && end <= kLargestBorder;
    if (fits && sizes[i] >= 1 && sizes[i] <= kLargestBlock) continue;
    return Invalid("block size {}, borders {} and {}", sizes[i], begin, end);
  }
  blocks.sizes = std::move(sizes);
  return blocks;
}

Result<SpatialBlocks> ReadSpatialBlocks(const ir::Value& x, std::vector<int64_t> sizes, ir::ValueId borders) {
  MICRORT_RETURN_IF_ERROR(CheckCounts(x, sizes.size(), 2 * sizes.size()));
  for (const int64_t size : sizes) MICRORT_RETURN_IF_ERROR(CheckBlock(size));
  SpatialBlocks blocks;
  blocks.sizes = std::move(sizes);
  blocks.computed = borders;
  return blocks;
}

Result<ir::ValueId> SpaceToBatch(ir::Builder& build, ir::ValueId x, const SpatialBlocks& blocks) {
  const ir::ValueId padded = PadSpace(build, x, blocks);
  MICRORT_RETURN_IF_ERROR(build.status());
  Sizes sizes(build);
  const auto n = static_cast<int>(blocks.count());
  const int rank = build.graph().value(x).rank();
  Size batch = sizes.Of(padded, 0);
  std::vector<Size> split = {batch}, joined(1);
  std::vector<int32_t> order;
  for (int i = 0; i < n; ++i) {
    const int64_t block = blocks.sizes[static_cast<size_t>(i)];
    const Size size = sizes.Of(padded, i + 1);
    MICRORT_RETURN_IF_ERROR(CheckMultiple(size, block));
    const Size reduced = sizes.Over(size, block);
    split.insert(split.end(), {reduced, block});
    joined.push_back(reduced);
    order.push_back(2 * i + 2);
    batch = sizes.Times(batch, block);
  }
  joined[0] = batch;
  order.push_back(0);
  for (int i = 0; i < n; ++i) order.push_back(2 * i + 1);
  for (int i = n + 1; i < rank; ++i) {
    split.push_back(sizes.Of(padded, i));
    joined.push_back(split.back());
    order.push_back(i + n);
  }
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId cut, sizes.Reshape(padded, split));
  return sizes.Reshape(build.Transpose(cut, order), joined);
}

Result<ir::ValueId> BatchToSpace(ir::Builder& build, ir::ValueId x, const SpatialBlocks& blocks) {
  Sizes sizes(build);
  const auto n = static_cast<int>(blocks.count());
  const int rank = build.graph().value(x).rank();
  Size batch = sizes.Of(x, 0);
  std::vector<Size> split, joined(1);
  std::vector<int32_t> order = {n};
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<size_t>(i);
    MICRORT_RETURN_IF_ERROR(CheckMultiple(batch, blocks.sizes[k]));
    split.emplace_back(blocks.sizes[k]);
    batch = sizes.Over(batch, blocks.sizes[k]);
    const Size size = sizes.Times(sizes.Of(x, i + 1), blocks.sizes[k]);
    const bool is_known = blocks.computed == ir::kNoValue && size.is_fixed();
    if (is_known && blocks.begins[k] + blocks.ends[k] > size.fixed)
      return Invalid("more is cut off than there is");
    joined.push_back(size);
    order.insert(order.end(), {n + 1 + i, i});
  }
  split.push_back(batch);
  joined[0] = batch;
  for (int i = 0; i < n; ++i) split.push_back(sizes.Of(x, i + 1));
  for (int i = n + 1; i < rank; ++i) {
    split.push_back(sizes.Of(x, i));
    joined.push_back(split.back());
    order.push_back(i + n);
  }
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId cut, sizes.Reshape(x, split));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId all, sizes.Reshape(build.Transpose(cut, order), joined));
  return build.Checked(CutSpace(build, all, blocks));
}

}  // namespace micrort::frontend
