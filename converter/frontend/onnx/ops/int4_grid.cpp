#include "converter/frontend/onnx/ops/int4_grid.h"

#include <algorithm>
#include <cmath>

namespace micrort::frontend::onnx {

ir::Quantization Int4Grid(int axis, int64_t group, std::vector<float> scales,
                          std::vector<int32_t> zero_points) {
  for (size_t i = 0; i < scales.size(); ++i) {
    if (!std::isfinite(scales[i])) return {};
    if (scales[i] < 0) {
      scales[i] = -scales[i];
      zero_points[i] = -1 - zero_points[i];
    } else if (scales[i] == 0) {  // all elements are 0
      scales[i] = 1;
      zero_points[i] = 0;
    }
  }
  const bool centered = std::all_of(zero_points.begin(), zero_points.end(), [](int32_t z) { return z == 0; });
  if (centered) zero_points.clear();
  return {std::move(scales), std::move(zero_points), axis, static_cast<int>(group)};
}

}  // namespace micrort::frontend::onnx
