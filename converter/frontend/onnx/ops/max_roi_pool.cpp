// MaxRoiPool.

#include "converter/frontend/common/max_roi_pool.h"

#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

Status ImportMaxRoiPool(NodeContext& c) {
  const std::vector<int64_t> pooled = c.Ints("pooled_shape");
  const float scale = c.Float("spatial_scale", 1.0f);
  if (pooled.size() != 2 || pooled[0] < 1 || pooled[1] < 1 || pooled[0] > 4096 || pooled[1] > 4096)
    return Invalid("pooled_shape: expected two sizes from 1 to 4096");
  if (c.x().rank() != 4 || c.x(1).rank() != 2 || c.x(1).shape[1] != 5)
    return Invalid("expected an image and regions [R,5]");
  return c.Return(MaxRoiPool(c.build, c.input(0), c.input(1), scale, pooled[0], pooled[1]));
}

}  // namespace

const ImporterList MaxRoiPoolImporters = {
    {"MaxRoiPool", 2, 2, InFloat32<ImportMaxRoiPool>, Types(kFloats)},
};

}  // namespace micrort::frontend::onnx
