// Layers that divide by what they find in their input.

#include "converter/frontend/caffe/layers/windows.h"
#include "converter/frontend/caffe/registry.h"

namespace micrort::frontend::caffe {

namespace {

using schema::ReduceKind;

// x [N,H,W,C] → the mean of the window, zeros around the image included.
ir::ValueId MeanInWindow(LayerContext& c, ir::ValueId x, int32_t height, int32_t width) {
  schema::Pool2DOptionsT pool;
  pool.kind = schema::PoolKind::Average;
  pool.kernel_h = height;
  pool.kernel_w = width;
  pool.pad_top = pool.pad_bottom = (height - 1) / 2;
  pool.pad_left = pool.pad_right = (width - 1) / 2;
  pool.count_include_pad = true;
  return c.build.Add(std::move(pool), {x});
}

// x / (k + alpha * mean of squares)^beta, over neighbouring channels or over a square around each pixel;
// there k is 1.
Status ImportLRNLayer(LayerContext& c) {
  const auto& p = c.layer.lrn_param();
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  MICRORT_RETURN_IF_ERROR(ExpectRange("local_size", p.local_size(), 1, 1 << 20));
  if (p.local_size() % 2 == 0) return Invalid("local_size {} is even", p.local_size());
  const auto size = static_cast<int32_t>(p.local_size());
  const bool across = p.norm_region() == ::caffe::LRNParameter::ACROSS_CHANNELS;
  ir::ValueId mean = ir::kNoValue;
  if (across) {
    MICRORT_RETURN_IF_ERROR(c.ExpectFixed(0, 1, 4));
    const ir::ValueId rows = c.build.Reshape(c.bottom(), {CopyDim(0), CopyDim(1), 1, kInferDim});
    const ir::ValueId squares = c.build.Mul(rows, rows);
    mean = c.build.Reshape(
        MeanInWindow(c, squares, size, 1),
        {CopyDim(0), CopyDim(1), static_cast<int32_t>(c.dim(2)), static_cast<int32_t>(c.dim(3))});
  } else {
    const ir::ValueId squares = c.build.Mul(c.bottom(), c.bottom());
    mean = FromNhwc(c.build, MeanInWindow(c, ToNhwc(c.build, squares, 4), size, size), 4);
  }
  const ir::ValueId scaled = c.build.Mul(mean, c.build.Scalar(p.alpha()));
  const ir::ValueId base = c.build.Add(scaled, c.build.Scalar(across ? p.k() : 1));
  const ir::ValueId divisor = c.build.Pow(base, c.build.Scalar(p.beta()));
  return c.Return(c.build.Div(c.bottom(), divisor));
}

// Over each channel, or each image; eps is added to the deviation, not to the variance.
Status ImportMVN(LayerContext& c) {
  const auto& p = c.layer.mvn_param();
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  const std::vector<int32_t> axes =
      p.across_channels() ? std::vector<int32_t>{1, 2, 3} : std::vector<int32_t>{2, 3};
  const ir::ValueId mean = c.build.Reduce(ReduceKind::Mean, c.bottom(), axes, true);
  const ir::ValueId centered = c.build.Sub(c.bottom(), mean);
  if (!p.normalize_variance()) return c.Return(centered);
  const ir::ValueId squares = c.build.Mul(centered, centered);
  const ir::ValueId deviation = c.build.Sqrt(c.build.Reduce(ReduceKind::Mean, squares, axes, true));
  const ir::ValueId divisor = c.build.Add(deviation, c.build.Scalar(p.eps()));
  return c.Return(c.build.Div(centered, divisor));
}

// x / sqrt(sum of squares + eps) over channels, or whole images, times learned factors.
Status ImportNormalize(LayerContext& c) {
  const auto& p = c.layer.norm_param();
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(0, 1, 2));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId factors,
                           c.Weights(0, {p.channel_shared() ? 1 : c.dim(1), 1, 1}));
  const std::vector<int32_t> axes =
      p.across_spatial() ? std::vector<int32_t>{1, 2, 3} : std::vector<int32_t>{1};
  const ir::ValueId squares = c.build.Mul(c.bottom(), c.bottom());
  const ir::ValueId sum = c.build.Reduce(ReduceKind::Sum, squares, axes, true);
  const ir::ValueId norm = c.build.Sqrt(c.build.Add(sum, c.build.Scalar(p.eps())));
  return c.Return(c.build.Mul(c.build.Div(c.bottom(), norm), factors));
}

}  // namespace

const ImporterList NormalizationLayers = {
    {"LRN", 1, 1, ImportLRNLayer},
    {"MVN", 1, 1, ImportMVN},
    {"Normalize", 1, 1, ImportNormalize},
};

}  // namespace micrort::frontend::caffe
