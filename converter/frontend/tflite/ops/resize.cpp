// RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR, of images [N,H,W,C].

#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

template <typename OptionsT>
Status Resize(OpContext& c, schema::ResizeOptionsT options) {
  const auto o = c.op.Options<OptionsT>();
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 4));
  if (o.align_corners && o.half_pixel_centers)
    return Invalid("align_corners and half_pixel_centers exclude each other");
  if (o.align_corners) {
    options.coordinates = schema::CoordinateMode::AlignCorners;
  } else if (!o.half_pixel_centers) {
    options.coordinates = schema::CoordinateMode::Asymmetric;
  }
  std::vector<int64_t> size;
  if (c.x().is_static() && ir::AnyIntegersOf(c.value(c.stored(1)), &size)) {
    if (size.size() != 2) return Invalid("a size of {} numbers", size.size());
    options.sizes.resize(4);
    MICRORT_ASSIGN_OR_RETURN(options.sizes[0], ToInt32(c.x().shape[0], "batch"));
    MICRORT_ASSIGN_OR_RETURN(options.sizes[1], ToInt32(size[0], "height"));
    MICRORT_ASSIGN_OR_RETURN(options.sizes[2], ToInt32(size[1], "width"));
    MICRORT_ASSIGN_OR_RETURN(options.sizes[3], ToInt32(c.x().shape[3], "channels"));
    return c.Return(c.build.Add(std::move(options), {c.input(0)}));
  }
  const ir::ValueId x = c.input(0);
  const ir::ValueId sizes = c.build.Concat({c.build.DimOf(x, 0), c.Int64(1), c.build.DimOf(x, 3)}, 0);
  return c.Return(c.build.Add(std::move(options), {x, ir::kNoValue, ir::kNoValue, sizes}));
}

Status ImportResizeBilinear(OpContext& c) {
  schema::ResizeOptionsT options;
  options.mode = schema::ResizeMode::Linear;
  options.coordinates = schema::CoordinateMode::HalfPixel;
  return Resize<fb::ResizeBilinearOptionsT>(c, std::move(options));
}

Status ImportResizeNearest(OpContext& c) {
  schema::ResizeOptionsT options;
  options.mode = schema::ResizeMode::Nearest;
  options.coordinates = schema::CoordinateMode::TfHalfPixelForNn;
  const bool rounds = c.op.Options<fb::ResizeNearestNeighborOptionsT>().align_corners;
  options.nearest = rounds ? schema::NearestMode::RoundPreferCeil : schema::NearestMode::Floor;
  return Resize<fb::ResizeNearestNeighborOptionsT>(c, std::move(options));
}

constexpr TypeSet kImages = TypesOf(DType::kFloat32, DType::kInt8, DType::kUInt8, DType::kInt16);

}  // namespace

const ImporterList ResizeImporters = {
    {"RESIZE_BILINEAR", 2, 2, ImportResizeBilinear, Types(kImages)},
    {"RESIZE_NEAREST_NEIGHBOR", 2, 2, ImportResizeNearest, Types(kImages)},
};

}  // namespace micrort::frontend::tflite
