// Images of another size.

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::CoordinateMode;
using schema::NearestMode;
using schema::ResizeMode;

// inputs: images [N,H,W,C], height and width.
template <ResizeMode mode>
Status ImportResize(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  schema::ResizeOptionsT options;
  options.mode = mode;
  const bool half_pixel = c.Bool("half_pixel_centers", false), align = c.Bool("align_corners", false);
  if (half_pixel && align) {
    return MICRORT_ERROR(kInvalidModel, "half_pixel_centers and align_corners at once");
  }
  options.coordinates = align        ? CoordinateMode::AlignCorners
                        : half_pixel ? CoordinateMode::HalfPixel
                                     : CoordinateMode::Asymmetric;
  // The nearest one of aligned corners is rounded; others are cut off, half-pixel ones at their left edge.
  // Keys' filter with weights of what is inside; the older one for pixels at corners.
  options.cubic_a = half_pixel ? -0.5f : -0.75f;
  options.exclude_outside = half_pixel;
  options.nearest = align ? NearestMode::RoundPreferCeil : NearestMode::Floor;
  if (mode == ResizeMode::Nearest && half_pixel) options.coordinates = CoordinateMode::TfHalfPixelForNn;
  const bool casts = mode != ResizeMode::Nearest && c.x().dtype != DType::kFloat32;
  const ir::ValueId x = casts ? c.build.Cast(c.input(0), DType::kFloat32) : c.input(0);
  std::vector<int64_t> sizes;
  if (ir::IntegersOf(c.x(1), &sizes)) {
    if (sizes.size() != 2) return MICRORT_ERROR(kInvalidModel, "%zu sizes", sizes.size());
    const int64_t batch = c.x().shape[0], channels = c.x().shape[3];
    if (batch != ir::kDynamic && channels != ir::kDynamic) {
      for (const int64_t size : {batch, sizes[0], sizes[1], channels}) {
        options.sizes.emplace_back();
        MICRORT_RETURN_IF_ERROR(ToInt32(size, "size", &options.sizes.back()));
      }
      return c.Return(c.build.Add(std::move(options), {x}));
    }
  }
  const ir::ValueId shape = c.build.ShapeOf(x);
  const ir::ValueId target = c.build.Concat(
      {c.build.Slice(shape, 0, 0, 1), c.AsInt64(c.input(1)), c.build.Slice(shape, 0, 3, 4)}, 0);
  return c.Return(c.build.Add(std::move(options), {x, ir::kNoValue, ir::kNoValue, target}));
}

}  // namespace

Span<const OpImporter> ImageOps() {
  static constexpr OpImporter kImporters[] = {
      {"ResizeBicubic", 2, 2, ImportResize<ResizeMode::Cubic>},
      {"ResizeBilinear", 2, 2, ImportResize<ResizeMode::Linear>},
      {"ResizeNearestNeighbor", 2, 2, ImportResize<ResizeMode::Nearest>},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tensorflow
