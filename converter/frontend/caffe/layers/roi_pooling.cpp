// ROIPooling.

#include "converter/frontend/caffe/registry.h"
#include "converter/frontend/common/max_roi_pool.h"

namespace micrort::frontend::caffe {

namespace {

// Regions: item of the batch, x1, y1, x2, y2, perhaps with dimensions of 1 after them.
Status ImportRoiPooling(LayerContext& c) {
  constexpr int64_t kMostCells = 4096;
  const ::caffe::ROIPoolingParameter& p = c.layer.roi_pooling_param();
  MICRORT_RETURN_IF_ERROR(ExpectRange("pooled_h", p.pooled_h(), 1, kMostCells));
  MICRORT_RETURN_IF_ERROR(ExpectRange("pooled_w", p.pooled_w(), 1, kMostCells));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  constexpr int64_t kColumns = 5;
  if (c.rank(1) < 2 || c.dim(1, 1) != kColumns)
    return Invalid("expected regions of {} numbers each", kColumns);
  const ir::ValueId regions = c.build.Reshape(c.bottom(1), {kInferDim, kColumns});
  return c.Return(MaxRoiPool(c.build, c.bottom(0), regions, p.spatial_scale(), p.pooled_h(), p.pooled_w()));
}

}  // namespace

const ImporterList RoiPoolingLayers = {
    {"ROIPooling", 2, 2, ImportRoiPooling},
};

}  // namespace micrort::frontend::caffe
