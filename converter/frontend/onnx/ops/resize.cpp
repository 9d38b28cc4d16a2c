// Resize and its forerunner Upsample.

#include <algorithm>
#include <map>

#include "converter/frontend/onnx/ops/image.h"
#include "converter/frontend/onnx/ops/resize_target.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

using schema::CoordinateMode;
using schema::NearestMode;
using schema::ResizeMode;

// The enumerator that an attribute names.
template <typename E>
Status ReadEnum(NodeContext& c, const char* attribute, const char* otherwise,
                const std::map<std::string, E>& names, E* out) {
  const std::string name = c.String(attribute, otherwise);
  const auto found = names.find(name);
  if (found == names.end()) return Unsupported("{} = '{}'", attribute, name);
  *out = found->second;
  return Status();
}

Status ReadInterpolation(NodeContext& c, schema::ResizeOptionsT* options) {
  return ReadEnum<ResizeMode>(c, "mode", "nearest",
                              {{"nearest", ResizeMode::Nearest},
                               {"linear", ResizeMode::Linear},
                               {"bilinear", ResizeMode::Linear},
                               {"cubic", ResizeMode::Cubic}},
                              &options->mode);
}

// Opset 11 and later; before, pixels map by their scale alone.
Status ReadCoordinates(NodeContext& c, schema::ResizeOptionsT* options) {
  options->coordinates = CoordinateMode::Asymmetric;
  options->nearest = NearestMode::Floor;
  if (c.opset() < 11) return Status();
  options->cubic_a = c.Float("cubic_coeff_a", -0.75f);
  options->exclude_outside = c.Int("exclude_outside", 0) != 0;
  options->antialias = c.Int("antialias", 0) != 0;
  options->extrapolation = c.Float("extrapolation_value", 0.0f);
  MICRORT_RETURN_IF_ERROR(
      ReadEnum<CoordinateMode>(c, "coordinate_transformation_mode", "half_pixel",
                               {{"half_pixel", CoordinateMode::HalfPixel},
                                {"asymmetric", CoordinateMode::Asymmetric},
                                {"align_corners", CoordinateMode::AlignCorners},
                                {"pytorch_half_pixel", CoordinateMode::PytorchHalfPixel},
                                {"tf_half_pixel_for_nn", CoordinateMode::TfHalfPixelForNn},
                                {"half_pixel_symmetric", CoordinateMode::HalfPixelSymmetric},
                                {"tf_crop_and_resize", CoordinateMode::TfCropAndResize}},
                               &options->coordinates));
  return ReadEnum<NearestMode>(c, "nearest_mode", "round_prefer_floor",
                               {{"round_prefer_floor", NearestMode::RoundPreferFloor},
                                {"round_prefer_ceil", NearestMode::RoundPreferCeil},
                                {"floor", NearestMode::Floor},
                                {"ceil", NearestMode::Ceil}},
                               &options->nearest);
}

// Constant lists become options.
void SetTarget(const NodeContext& c, const ResizeTarget& target, schema::ResizeOptionsT* options,
               std::vector<ir::ValueId>* inputs) {
  std::vector<int64_t> sizes;
  const bool has_scales = target.scales != ir::kNoValue;
  const bool has_sizes = target.sizes != ir::kNoValue;
  const bool scales_known = has_scales && ir::FloatsOf(c.value(target.scales), &options->scales);
  const bool sizes_known = has_sizes && ir::IntegersOf(c.value(target.sizes), &sizes);
  options->sizes.assign(sizes.begin(), sizes.end());
  inputs->push_back(target.roi);
  inputs->push_back(scales_known ? ir::kNoValue : target.scales);
  inputs->push_back(sizes_known ? ir::kNoValue : target.sizes);
  while (inputs->back() == ir::kNoValue) inputs->pop_back();
}

Status CheckSizes(const NodeContext& c, ir::ValueId list) {
  std::vector<int64_t> sizes;
  if (list == ir::kNoValue || !ir::IntegersOf(c.value(list), &sizes)) return Status();
  for (int64_t size : sizes) {
    int32_t checked = 0;
    MICRORT_RETURN_IF_ERROR(ToInt32(size, "sizes", &checked));
  }
  return Status();
}

// From four dimensions on, channels come last.
std::vector<int> Layout(int rank) {
  std::vector<int> layout;
  for (int i = 0; i < rank; ++i) layout.push_back(i);
  if (rank >= 4) std::rotate(layout.begin() + 1, layout.begin() + 2, layout.end());
  return layout;
}

ir::ValueId Resize(NodeContext& c, ir::ValueId x, const ResizeTarget& target,
                   schema::ResizeOptionsT options) {
  std::vector<ir::ValueId> inputs = {x};
  SetTarget(c, target, &options, &inputs);
  return c.build.Add(std::move(options), inputs);
}

bool AreOnes(const NodeContext& c, ir::ValueId scales) {
  std::vector<float> known;
  return ir::FloatsOf(c.value(scales), &known) &&
         std::all_of(known.begin(), known.end(), [](float scale) { return scale == 1; });
}

// In opset 10 the nearest pixel is the one before along axes that grow, and the one behind along axes that
// shrink. So each kind of axes takes a step of its own.
ir::ValueId GrowAndShrink(NodeContext& c, ir::ValueId x, const ResizeTarget& target,
                          schema::ResizeOptionsT options) {
  const ir::ValueId one = c.build.Scalar(1);
  ResizeTarget grown, shrunk;
  grown.scales = c.build.Binary(schema::BinaryKind::Max, target.scales, one);
  shrunk.scales = c.build.Binary(schema::BinaryKind::Min, target.scales, one);
  const bool shrinks = !AreOnes(c, shrunk.scales);
  if (!shrinks || !AreOnes(c, grown.scales)) x = Resize(c, x, grown, options);
  options.nearest = NearestMode::Ceil;
  return shrinks ? Resize(c, x, shrunk, options) : x;
}

Status ImportResize(NodeContext& c) {
  schema::ResizeOptionsT options;
  MICRORT_RETURN_IF_ERROR(ReadInterpolation(c, &options));
  MICRORT_RETURN_IF_ERROR(ReadCoordinates(c, &options));
  const int rank = c.x().rank();
  const bool crops = options.coordinates == CoordinateMode::TfCropAndResize;
  ResizeTarget target;
  MICRORT_RETURN_IF_ERROR(ReadResizeTarget(c, Layout(rank), crops, &target));
  MICRORT_RETURN_IF_ERROR(CheckSizes(c, target.sizes));

  const DType dtype = c.x().dtype;
  const bool casts = options.mode != ResizeMode::Nearest && dtype != DType::kFloat32;
  ir::ValueId x = casts ? c.build.Cast(c.input(0), DType::kFloat32) : c.input(0);
  if (rank >= 4) x = ToNhwc(c.build, x, rank);
  const bool rounds_by_scale = options.mode == ResizeMode::Nearest && c.opset() == 10;  // Upsample only grows
  ir::ValueId y = rounds_by_scale ? GrowAndShrink(c, x, target, options) : Resize(c, x, target, options);
  if (rank >= 4) y = FromNhwc(c.build, y, rank);
  return c.Return(casts ? c.build.Cast(y, dtype) : y);
}

}  // namespace

const ImporterList ResizeImporters = {
    {"Resize", 1, 4, ImportResize, Types(kAllTypes).Since(10)},
    {"Upsample", 1, 2, ImportResize, Types(kAllTypes).Until(9)},
};

}  // namespace micrort::frontend::onnx
