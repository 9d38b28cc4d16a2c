// Pooling in windows, of whole images, and in pyramids of windows.

#include "converter/frontend/caffe/layers/windows.h"
#include "converter/frontend/caffe/registry.h"
#include "converter/frontend/common/max_positions.h"

namespace micrort::frontend::caffe {

namespace {

using schema::PoolKind;
using schema::ReduceKind;

Result<bool> ReadPoolMethod(::caffe::PoolingParameter::PoolMethod method) {
  if (method == ::caffe::PoolingParameter::STOCHASTIC)
    return Unsupported("stochastic pooling draws random numbers");
  return method == ::caffe::PoolingParameter::AVE;
}

std::vector<int64_t> OneEntry(bool has, uint32_t v) {
  return has ? std::vector<int64_t>{v} : std::vector<int64_t>();
}

Status ReadPoolingWindow(const ::caffe::PoolingParameter& p, Window* window) {
  const WindowField kernel = {"kernel",         OneEntry(p.has_kernel_size(), p.kernel_size()),
                              p.has_kernel_h(), p.has_kernel_w(),
                              p.kernel_h(),     p.kernel_w()};
  const WindowField stride = {"stride",         OneEntry(p.has_stride(), p.stride()),
                              p.has_stride_h(), p.has_stride_w(),
                              p.stride_h(),     p.stride_w()};
  const WindowField pad = {"pad",    OneEntry(p.has_pad(), p.pad()), p.has_pad_h(), p.has_pad_w(), p.pad_h(),
                           p.pad_w()};
  MICRORT_RETURN_IF_ERROR(ReadWindowField(kernel, 1, 0, &WindowAxis::kernel, window));
  MICRORT_RETURN_IF_ERROR(ReadWindowField(stride, 1, 1, &WindowAxis::stride, window));
  MICRORT_RETURN_IF_ERROR(ReadWindowField(pad, 0, 0, &WindowAxis::pad_begin, window));
  for (WindowAxis& axis : window->axes) {
    axis.pad_end = axis.pad_begin;
    if (axis.pad_begin < axis.kernel) continue;
    return Invalid("padding of {} with a kernel of {}: windows would see nothing else", axis.pad_begin,
                   axis.kernel);
  }
  return Status();
}

// Caffe rounds the number of windows up, and then drops a last one that begins behind the image, but not
// where there is no padding.
Status CheckLastWindow(const WindowAxis& axis, bool padded, int64_t size) {
  if (size == ir::kDynamic || padded || axis.stride <= axis.kernel) return Status();
  const int64_t steps = (size - axis.kernel + axis.stride - 1) / axis.stride;
  if (steps * axis.stride < size) return Status();
  return Unsupported("the last window, of a stride of {}, begins behind the image", axis.stride);
}

// x [N,H,W,C]. Averages are over windows cut to the image with its padding, so the last ones may be of fewer
// elements.
ir::ValueId PoolImage(LayerContext& c, ir::ValueId x, const Window& window, bool average, bool ceil) {
  schema::Pool2DOptionsT options;
  window.CopyTo(&options);
  options.kind = average ? PoolKind::Average : PoolKind::Max;
  options.count_include_pad = average;
  options.ceil_mode = ceil;
  return c.build.Add(std::move(options), {x});
}

// The second top: for every maximum where in its channel it was, as a float.
Status SetPositions(LayerContext& c, const Window& window, ir::ValueId y) {
  MICRORT_RETURN_IF_ERROR(c.build.status());
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId positions,
                           MaxPositions(c.build, c.bottom(), y, window.axes, false));
  const std::vector<int64_t>& shape = c.value(y).shape;
  const std::vector<int32_t> as_image = {CopyDim(0), CopyDim(1), static_cast<int32_t>(shape[2]),
                                         static_cast<int32_t>(shape[3])};
  c.SetTop(1, c.build.Reshape(c.build.Cast(positions, DType::kFloat32), as_image));
  return c.build.status();
}

Status ImportPooling(LayerContext& c) {
  const auto& p = c.layer.pooling_param();
  MICRORT_ASSIGN_OR_RETURN(const bool average, ReadPoolMethod(p.pool()));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  const bool wants_positions = c.top_count() > 1;
  if (wants_positions && (average || p.global_pooling()))
    return Unsupported("a second top; only maxima in windows have one");
  if (p.global_pooling())
    return c.Return(c.build.Reduce(average ? ReduceKind::Mean : ReduceKind::Max, c.bottom(), {2, 3}, true));
  Window window;
  MICRORT_RETURN_IF_ERROR(ReadPoolingWindow(p, &window));
  const bool ceil = p.round_mode() == ::caffe::PoolingParameter::CEIL && p.ceil_mode();
  const bool padded = window.height().pad_begin != 0 || window.width().pad_begin != 0;
  for (int i = 0; i < 2 && ceil; ++i)
    MICRORT_RETURN_IF_ERROR(CheckLastWindow(window.axes[i], padded, c.dim(2 + i)));
  const ir::ValueId y =
      FromNhwc(c.build, PoolImage(c, ToNhwc(c.build, c.bottom(), 4), window, average, ceil), 4);
  if (wants_positions) MICRORT_RETURN_IF_ERROR(SetPositions(c, window, y));
  return c.Return(y);
}

// Level l divides the image into 2^l by 2^l windows, padded so that they are of one size; all are
// concatenated.
Status ImportSPP(LayerContext& c) {
  const auto& p = c.layer.spp_param();
  MICRORT_ASSIGN_OR_RETURN(const bool average, ReadPoolMethod(p.pool()));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(0, 1, 4));
  MICRORT_RETURN_IF_ERROR(ExpectRange("pyramid_height", p.pyramid_height(), 1, 16));
  const ir::ValueId x = ToNhwc(c.build, c.bottom(), 4);
  std::vector<ir::ValueId> levels;
  for (uint32_t level = 0; level < p.pyramid_height(); ++level) {
    const int64_t bins = int64_t{1} << level;
    Window window;
    for (int i = 0; i < 2; ++i) {
      const int64_t size = c.dim(2 + i), kernel = (size + bins - 1) / bins,
                    pad = (kernel * bins - size + 1) / 2;
      if (pad >= kernel)
        return Invalid("pyramid_height {} is too much for an image of {}", p.pyramid_height(), size);
      window.axes[i].kernel = window.axes[i].stride = kernel;
      window.axes[i].pad_begin = window.axes[i].pad_end = pad;
    }
    const ir::ValueId y = FromNhwc(c.build, PoolImage(c, x, window, average, true), 4);
    levels.push_back(c.build.Reshape(y, {CopyDim(0), kInferDim}));
  }
  return c.Return(levels.size() == 1 ? levels[0] : c.build.Concat(levels, 1));
}

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

const ImporterList PoolingLayers = {
    {"Pooling", 1, 1, ImportPooling, "stochastic pooling; positions of maxima in images of dynamic size"},
    {"SPP", 1, 1, ImportSPP, "stochastic pooling"},
    {"ROIPooling", 2, 2, ImportRoiPooling},
};

}  // namespace micrort::frontend::caffe
