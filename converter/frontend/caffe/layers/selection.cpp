// Layers that pick items of a batch.

#include "converter/frontend/caffe/registry.h"

namespace micrort::frontend::caffe {

namespace {

// The items where the last bottom is not 0, of every other bottom.
Status ImportFilter(LayerContext& c) {
  const size_t selector = c.bottom_count() - 1;
  if (c.top_count() != selector)
    return Invalid("{} tops for {} bottoms and a selector", c.top_count(), selector);
  const ir::ValueId flags = c.build.Reshape(c.bottom(selector), {kInferDim});
  const ir::ValueId items = c.build.Reshape(c.build.Add(schema::NonZeroOptionsT(), {flags}), {kInferDim});
  for (size_t i = 0; i < selector; ++i) {
    if (c.rank(i) < 1 || c.rank(selector) < 1 || c.dim(0, i) != c.dim(0, selector))
      return Invalid("bottom '{}' has another number of items than the selector",
                     c.layer.bottom(static_cast<int>(i)));
    c.SetTop(i, c.build.Gather(c.bottom(i), items, 0));
  }
  return c.build.status();
}

Status ImportBatchReindex(LayerContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 1));
  return c.Return(c.build.Gather(c.bottom(), c.build.Cast(c.bottom(1), DType::kInt64), 0));
}

}  // namespace

const ImporterList SelectionLayers = {
    {"BatchReindex", 2, 2, ImportBatchReindex},
    {"Filter", 2, -1, ImportFilter},
};

}  // namespace micrort::frontend::caffe
