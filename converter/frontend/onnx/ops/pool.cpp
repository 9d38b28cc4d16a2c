// Pooling, in windows and over whole images.

#include "converter/frontend/onnx/ops/image.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend {

namespace {

using schema::PoolKind;
using schema::ReduceKind;

Status ImportPool(NodeContext& c, PoolKind kind) {
  MICRORT_RETURN_IF_ERROR(CheckImageRank(c.x()));
  Window window;
  MICRORT_RETURN_IF_ERROR(ReadWindow(c, {}, &window));
  MICRORT_RETURN_IF_ERROR(ApplyAutoPad(c, &window));
  schema::Pool2DOptionsT options;
  options.kind = kind;
  options.kernel_h = window.kernel[0];
  options.kernel_w = window.kernel[1];
  options.ceil_mode = c.Int("ceil_mode", 0) != 0;
  options.count_include_pad = c.Int("count_include_pad", 0) != 0;
  window.CopyTo(&options);
  const int rank = c.x().rank();
  const ir::ValueId x = ToNhwc(c, c.input(0), rank);
  return c.Return(FromNhwc(c, c.build.Add(std::move(options), {x}), rank));
}

// The second output, indices, is not supported; storage_order is about them.
Status ImportMaxPool(NodeContext& c) {
  c.Ignore({"storage_order"});
  return ImportPool(c, PoolKind::Max);
}

Status ImportAveragePool(NodeContext& c) { return ImportPool(c, PoolKind::Average); }

template <ReduceKind kind>
Status ImportGlobalPool(NodeContext& c) {
  std::vector<int32_t> spatial;
  for (int i = 2; i < c.x().rank(); ++i) spatial.push_back(i);
  return c.Return(c.build.Reduce(kind, c.input(0), spatial, true));
}

Status ImportGlobalLpPool(NodeContext& c) {
  const int64_t p = c.Int("p", 2);
  if (p == 1) return ImportGlobalPool<ReduceKind::L1>(c);
  if (p == 2) return ImportGlobalPool<ReduceKind::L2>(c);
  return MICRORT_ERROR(kUnsupported, "p = %lld: expected 1 or 2", static_cast<long long>(p));
}

constexpr OpImporter kImporters[] = {
    {"AveragePool", 1, 1, ImportAveragePool},
    {"GlobalAveragePool", 1, 1, ImportGlobalPool<ReduceKind::Mean>},
    {"GlobalLpPool", 1, 1, ImportGlobalLpPool},
    {"GlobalMaxPool", 1, 1, ImportGlobalPool<ReduceKind::Max>},
    {"MaxPool", 1, 1, ImportMaxPool},
};

}  // namespace

Span<const OpImporter> PoolImporters() { return kImporters; }

}  // namespace micrort::frontend
