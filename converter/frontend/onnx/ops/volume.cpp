#include "converter/frontend/onnx/ops/volume.h"

#include <algorithm>

#include "converter/frontend/onnx/ops/reshape.h"

namespace micrort::frontend::onnx {

ir::ValueId ToPlanes(NodeContext& c, ir::ValueId x) {
  const int rank = c.value(x).rank();
  if (rank <= 4) return x;
  return ReshapeTo(c, x, {{x, 0, rank - 3}, OneDim(x, rank - 3), OneDim(x, rank - 2), OneDim(x, rank - 1)});
}

ir::ValueId FromPlanes(NodeContext& c, ir::ValueId planes, ir::ValueId like) {
  const int rank = c.value(like).rank();
  if (rank <= 4) return planes;
  std::vector<DimRange> dims;
  for (int i = 0; i < rank - 3; ++i) dims.push_back(OneDim(like, i));
  for (int i = 1; i < 4; ++i) dims.push_back(OneDim(planes, i));
  return ReshapeTo(c, planes, dims);
}

Status CheckVolume(const Window& window, bool is_transposed) {
  constexpr int64_t kMost = 1 << 12;
  int64_t count = 1;
  for (size_t i = 0; i + 2 < window.spatial(); ++i) {
    count *= is_transposed ? std::max(window.axes[i].kernel, window.axes[i].stride) : window.axes[i].kernel;
    if (count > kMost)
      return Unsupported("more than {} taps{} before the last two dimensions", kMost,
                         is_transposed ? " or strides" : "");
  }
  return Status();
}

bool NextTap(const Window& window, std::vector<int32_t>* taps) {
  for (size_t i = taps->size(); i-- > 0;) {
    if (++(*taps)[i] < window.axes[i].kernel) return true;
    (*taps)[i] = 0;
  }
  return false;
}

ir::ValueId PlaneWeights(NodeContext& c, ir::ValueId weights, const std::vector<int32_t>& taps) {
  if (taps.empty()) return weights;
  schema::SliceOptionsT slice;
  for (size_t i = 0; i < taps.size(); ++i) {
    slice.axes.push_back(static_cast<int32_t>(2 + i));
    slice.starts.push_back(taps[i]);
    slice.ends.push_back(taps[i] + 1);
    slice.steps.push_back(1);
  }
  const auto plane = static_cast<int32_t>(2 + taps.size());
  return c.build.Reshape(c.build.Add(std::move(slice), {weights}),
                         {CopyDim(0), CopyDim(1), CopyDim(plane), CopyDim(plane + 1)});
}

}  // namespace micrort::frontend::onnx
