// Images of another size.

#include <cmath>

#include "converter/frontend/caffe/registry.h"
#include "converter/frontend/common/window.h"

namespace micrort::frontend::caffe {

namespace {

// Height and width of an unpooled image.
Status UnpooledSizes(const LayerContext& c, int64_t (*sizes)[2]) {
  const auto& p = c.layer.upsample_param();
  const bool has_size[2] = {p.has_upsample_h(), p.has_upsample_w()};
  const bool has_scale[2] = {p.has_scale_h(), p.has_scale_w()};
  const uint32_t given[2] = {p.upsample_h(), p.upsample_w()}, scales[2] = {p.scale_h(), p.scale_w()};
  if (p.has_scale() && p.scale() != std::floor(p.scale()))
    return Unsupported("a scale of {}; expected a whole number", p.scale());
  for (int i = 0; i < 2; ++i) {
    const double scale = has_scale[i]    ? static_cast<double>(scales[i])
                         : p.has_scale() ? double{p.scale()}
                                         : 2;
    MICRORT_RETURN_IF_ERROR(
        ExpectRange("scale", scale >= 1 && scale <= 1024 ? static_cast<int64_t>(scale) : 0, 1, 1024));
    (*sizes)[i] = has_size[i] ? int64_t{given[i]} : c.dim(2 + i) * static_cast<int64_t>(scale);
    MICRORT_RETURN_IF_ERROR(ExpectRange("size of the result", (*sizes)[i], 1, kMaxExtent));
  }
  return ExpectRange("pixels of the result", (*sizes)[0] * (*sizes)[1], 1, INT32_MAX);
}

// Maxima go back to where they were taken from, as the second top of a pooling says; elsewhere are zeros.
Status Unpool(LayerContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(0, 0, 4));
  if (c.x(1).shape != c.x(0).shape) return Invalid("the bottoms differ in shape");
  int64_t sizes[2] = {0, 0};
  MICRORT_RETURN_IF_ERROR(UnpooledSizes(c, &sizes));
  const std::vector<int32_t> rows = {CopyDim(0), CopyDim(1), kInferDim};
  const ir::ValueId values = c.build.Reshape(c.bottom(), rows);
  const ir::ValueId positions = c.build.Cast(c.build.Reshape(c.bottom(1), rows), DType::kInt64);
  const ir::ValueId zeros =
      c.build.Expand({c.build.Scalar(0), c.build.Integers({c.dim(0), c.dim(1), sizes[0] * sizes[1]})});
  const ir::ValueId y = c.build.ScatterElements({zeros, positions, values}, 2);
  return c.Return(c.build.Reshape(
      y, {CopyDim(0), CopyDim(1), static_cast<int32_t>(sizes[0]), static_cast<int32_t>(sizes[1])}));
}

// Every pixel becomes a square of equal ones.
Status ImportUpsample(LayerContext& c) {
  const auto& p = c.layer.upsample_param();
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  if (c.bottom_count() == 2) return Unpool(c);
  if (!p.has_scale()) return Unsupported("expected an integral scale");
  if (!(p.scale() >= 1 && p.scale() <= 1024) || p.scale() != std::floor(p.scale()))
    return Unsupported("a scale of {}; expected a whole number from 1 to 1024", p.scale());
  schema::ResizeOptionsT options;
  options.mode = schema::ResizeMode::Nearest;
  options.coordinates = schema::CoordinateMode::Asymmetric;
  options.nearest = schema::NearestMode::Floor;
  options.scales = {1, p.scale(), p.scale(), 1};
  return c.Return(FromNhwc(c.build, c.build.Add(std::move(options), {ToNhwc(c.build, c.bottom(), 4)}), 4));
}

// What is left of a dimension of `size`, and what it becomes.
Status InterpolatedSize(const ::caffe::InterpParameter& p, int64_t size, int64_t given, int64_t* out) {
  int64_t n = size;
  if (p.has_shrink_factor() || p.has_zoom_factor()) {
    MICRORT_RETURN_IF_ERROR(ExpectRange("shrink_factor", p.shrink_factor(), 1, kMaxExtent));
    MICRORT_RETURN_IF_ERROR(ExpectRange("zoom_factor", p.zoom_factor(), 1, kMaxExtent));
    n = (n - 1) / p.shrink_factor() + 1;
    n += (n - 1) * (p.zoom_factor() - 1);
  } else {
    n = given;
  }
  *out = n;
  return ExpectRange("size of the result", n, 1, kMaxExtent);
}

// Bilinear, with corners on corners; negative padding crops first.
Status ImportInterp(LayerContext& c) {
  const auto& p = c.layer.interp_param();
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(0, 0, 4));
  if (c.bottom_count() == 2) {
    MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 4));
    MICRORT_RETURN_IF_ERROR(c.ExpectFixed(1, 2, 4));
  }
  MICRORT_RETURN_IF_ERROR(ExpectRange("pad_beg", p.pad_beg(), -kMaxExtent, 0));
  MICRORT_RETURN_IF_ERROR(ExpectRange("pad_end", p.pad_end(), -kMaxExtent, 0));
  ir::ValueId x = c.bottom();
  int64_t sizes[2];
  for (int i = 0; i < 2; ++i) {
    const int64_t left = c.dim(2 + i) + p.pad_beg() + p.pad_end();
    MICRORT_RETURN_IF_ERROR(ExpectRange("size after cropping", left, 1, kMaxExtent));
    if (left != c.dim(2 + i)) x = c.build.Slice(x, 2 + i, -int64_t{p.pad_beg()}, left - p.pad_beg());
    int64_t given = i == 0 ? p.height() : p.width();
    if (c.bottom_count() == 2) given = c.dim(2 + i, 1);
    MICRORT_RETURN_IF_ERROR(InterpolatedSize(p, left, given, &sizes[i]));
  }
  schema::ResizeOptionsT options;
  options.mode = schema::ResizeMode::Linear;
  options.coordinates = schema::CoordinateMode::AlignCorners;
  options.sizes = {static_cast<int32_t>(c.dim(0)), static_cast<int32_t>(sizes[0]),
                   static_cast<int32_t>(sizes[1]), static_cast<int32_t>(c.dim(1))};
  return c.Return(FromNhwc(c.build, c.build.Add(std::move(options), {ToNhwc(c.build, x, 4)}), 4));
}

}  // namespace

const ImporterList ResizingLayers = {
    {"Interp", 1, 2, ImportInterp},
    {"Upsample", 1, 2, ImportUpsample, "scales that are not whole"},
};

}  // namespace micrort::frontend::caffe
