// SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND, of [N,spatial...,rest...].

#include "converter/frontend/tflite/registry.h"
#include "converter/frontend/tflite/subgraph_importer.h"

namespace micrort::frontend::tflite {

namespace {

// Block sizes, and begin and end of the padding, or of what is cut off, one a spatial dimension.
struct SpatialBlocks {
  std::vector<int64_t> sizes, begins, ends;

  size_t count() const { return sizes.size(); }
  int64_t product() const {
    int64_t all = 1;
    for (const int64_t size : sizes) all *= size;
    return all;
  }
};

Status ReadBlocks(OpContext& c, SpatialBlocks* blocks) {
  constexpr int64_t kLargest = 1 << 15;
  std::vector<int64_t> borders;
  MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(1, &blocks->sizes));
  MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(2, &borders));
  const size_t count = blocks->count();
  if (count == 0 || static_cast<int>(count) >= c.x().rank() || count > 3 || borders.size() != 2 * count)
    return MICRORT_ERROR(kInvalidModel, "%zu block sizes and %zu borders of %d dimensions", count,
                         borders.size(), c.x().rank());
  for (size_t i = 0; i < count; ++i) {
    blocks->begins.push_back(borders[2 * i]);
    blocks->ends.push_back(borders[2 * i + 1]);
    if (blocks->sizes[i] >= 1 && blocks->sizes[i] <= kLargest && borders[2 * i] >= 0 &&
        borders[2 * i + 1] >= 0)
      continue;
    return MICRORT_ERROR(kInvalidModel, "block size %lld, borders %lld and %lld",
                         static_cast<long long>(blocks->sizes[i]), static_cast<long long>(borders[2 * i]),
                         static_cast<long long>(borders[2 * i + 1]));
  }
  for (size_t i = 1; i <= count; ++i) {
    if (c.x().shape[i] == ir::kDynamic)
      return MICRORT_ERROR(kUnsupported, "an image whose size is not fixed");
  }
  return Status();
}

ir::ValueId PadSpace(OpContext& c, ir::ValueId x, const SpatialBlocks& blocks) {
  schema::PadOptionsT options;
  const auto rank = static_cast<size_t>(c.value(x).rank());
  options.pads.resize(2 * rank);
  for (size_t i = 0; i < blocks.count(); ++i) {
    options.pads[1 + i] = blocks.begins[i];
    options.pads[rank + 1 + i] = blocks.ends[i];
  }
  return c.build.Add(std::move(options), {x});
}

// Offsets inside blocks come before the batch.
Status ImportSpaceToBatch(OpContext& c) {
  if (c.subgraph.dilated_convs().HandsOn(c.op.stated())) return c.Return(c.input(0));
  SpatialBlocks blocks;
  MICRORT_RETURN_IF_ERROR(ReadBlocks(c, &blocks));
  const ir::ValueId x = PadSpace(c, c.input(0), blocks);
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const auto n = static_cast<int>(blocks.count());
  const int rank = c.value(x).rank();
  std::vector<int32_t> split = {ir::CopyDim(0)}, joined = {ir::kInferDim}, order;
  for (int i = 0; i < n; ++i) {
    const int64_t size = c.value(x).shape[static_cast<size_t>(i + 1)],
                  block = blocks.sizes[static_cast<size_t>(i)];
    if (size % block != 0)
      return MICRORT_ERROR(kInvalidModel, "%lld elements in blocks of %lld", static_cast<long long>(size),
                           static_cast<long long>(block));
    split.push_back(static_cast<int32_t>(size / block));
    split.push_back(static_cast<int32_t>(block));
    joined.push_back(static_cast<int32_t>(size / block));
    order.push_back(2 * i + 2);
  }
  order.push_back(0);
  for (int i = 0; i < n; ++i) order.push_back(2 * i + 1);
  for (int i = n + 1; i < rank; ++i) {
    split.push_back(ir::CopyDim(i));
    order.push_back(i + n);
  }
  const ir::ValueId moved = c.build.Transpose(c.build.Reshape(x, split), order);
  for (int i = n + 1; i < rank; ++i) joined.push_back(ir::CopyDim(i + n));
  return c.Return(c.build.Reshape(moved, joined));
}

Status ImportBatchToSpace(OpContext& c) {
  if (c.subgraph.dilated_convs().HandsOn(c.op.stated())) return c.Return(c.input(0));
  SpatialBlocks blocks;
  MICRORT_RETURN_IF_ERROR(ReadBlocks(c, &blocks));
  const auto n = static_cast<int>(blocks.count());
  const int rank = c.x().rank();
  std::vector<int32_t> split, joined = {ir::CopyDim(n)}, order = {n};
  for (const int64_t block : blocks.sizes) split.push_back(static_cast<int32_t>(block));
  split.push_back(ir::kInferDim);
  for (int i = 0; i < n; ++i) {
    const int64_t size = c.x().shape[static_cast<size_t>(i + 1)];
    split.push_back(static_cast<int32_t>(size));
    order.push_back(n + 1 + i);
    order.push_back(i);
  }
  for (int i = n + 1; i < rank; ++i) {
    split.push_back(ir::CopyDim(i));
    order.push_back(i + n);
  }
  const ir::ValueId moved = c.build.Transpose(c.build.Reshape(c.input(0), split), order);
  joined = {ir::CopyDim(0)};
  schema::SliceOptionsT cut;
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<size_t>(i);
    const int64_t size = c.x().shape[k + 1] * blocks.sizes[k];
    if (blocks.begins[k] + blocks.ends[k] > size)
      return MICRORT_ERROR(kInvalidModel, "more is cut off than there is");
    int32_t joined_size = 0;
    MICRORT_RETURN_IF_ERROR(ToInt32(size, "size", &joined_size));
    joined.push_back(joined_size);
    cut.axes.push_back(i + 1);
    cut.starts.push_back(blocks.begins[k]);
    cut.ends.push_back(size - blocks.ends[k]);
    cut.steps.push_back(1);
  }
  for (int i = n + 1; i < rank; ++i) joined.push_back(ir::CopyDim(i + n));
  return c.Return(c.build.Add(std::move(cut), {c.build.Reshape(moved, joined)}));
}

}  // namespace

Span<const OpImporter> SpaceBatchImporters() {
  constexpr OpSupport kSupport =
      Types(kAllTypes).Without("blocks that are not constant; images without a fixed size");
  static constexpr OpImporter kImporters[] = {
      {"BATCH_TO_SPACE_ND", 3, 3, ImportBatchToSpace, kSupport},
      {"SPACE_TO_BATCH_ND", 3, 3, ImportSpaceToBatch, kSupport},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tflite
