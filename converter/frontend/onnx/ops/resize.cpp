// Resize and its forerunner Upsample.

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "converter/frontend/onnx/ops/image.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend {

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
  if (found == names.end()) return MICRORT_ERROR(kUnsupported, "%s = '%s'", attribute, name.c_str());
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

// Opset 11 and later; before, pixels map by their scale alone and round down.
Status ReadCoordinates(NodeContext& c, schema::ResizeOptionsT* options) {
  options->coordinates = CoordinateMode::Asymmetric;
  options->nearest = NearestMode::Floor;
  if (c.opset() < 11) return Status();
  options->cubic_a = c.Float("cubic_coeff_a", -0.75f);
  options->exclude_outside = c.Int("exclude_outside", 0) != 0;
  MICRORT_RETURN_IF_ERROR(
      ReadEnum<CoordinateMode>(c, "coordinate_transformation_mode", "half_pixel",
                               {{"half_pixel", CoordinateMode::HalfPixel},
                                {"asymmetric", CoordinateMode::Asymmetric},
                                {"align_corners", CoordinateMode::AlignCorners},
                                {"pytorch_half_pixel", CoordinateMode::PytorchHalfPixel},
                                {"tf_half_pixel_for_nn", CoordinateMode::TfHalfPixelForNn},
                                {"half_pixel_symmetric", CoordinateMode::HalfPixelSymmetric}},
                               &options->coordinates));
  return ReadEnum<NearestMode>(c, "nearest_mode", "round_prefer_floor",
                               {{"round_prefer_floor", NearestMode::RoundPreferFloor},
                                {"round_prefer_ceil", NearestMode::RoundPreferCeil},
                                {"floor", NearestMode::Floor},
                                {"ceil", NearestMode::Ceil}},
                               &options->nearest);
}

// What scales or sizes say, one entry for each of `axes`.
struct Target {
  std::vector<int64_t> axes;
  std::vector<float> scales;  // empty if there are sizes
  std::vector<int64_t> sizes;
};

Status ReadTarget(NodeContext& c, Target* out) {
  const auto rank = static_cast<size_t>(c.x().rank());
  out->axes = c.Ints("axes");
  if (out->axes.empty()) {
    out->axes.resize(rank);
    std::iota(out->axes.begin(), out->axes.end(), 0);
  }
  // opset 7: an attribute, up to 10: input 1, later: input 2, or sizes as input 3
  out->scales = c.Floats("scales");
  const size_t scales_input = c.opset() < 11 ? 1 : 2;
  if (c.has_input(scales_input)) MICRORT_RETURN_IF_ERROR(c.ConstantFloats(scales_input, &out->scales));
  if (c.has_input(3)) MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(3, &out->sizes));
  for (int64_t size : out->sizes) {
    int32_t checked = 0;
    MICRORT_RETURN_IF_ERROR(ToInt32(size, "sizes", &checked));
  }
  if (!out->sizes.empty()) out->scales.clear();
  const size_t count = out->sizes.empty() ? out->scales.size() : out->sizes.size();
  if (count != out->axes.size()) {
    return MICRORT_ERROR(kInvalidModel, "expected scales or sizes for %zu axes, found %zu", out->axes.size(),
                         count);
  }
  for (int64_t& axis : out->axes) {
    int index = 0;
    MICRORT_RETURN_IF_ERROR(c.Axis(axis, c.x().rank(), &index));
    axis = index;
  }
  return Status();
}

// Sizes that keep the aspect ratio: the smallest or the largest scale that an axis asks for, for all of them.
Status ApplyAspectPolicy(NodeContext& c, Target* target) {
  const std::string policy = c.String("keep_aspect_ratio_policy", "stretch");
  if (policy == "stretch" || target->sizes.empty()) return Status();
  if (policy != "not_larger" && policy != "not_smaller") {
    return MICRORT_ERROR(kInvalidModel, "keep_aspect_ratio_policy '%s'", policy.c_str());
  }
  std::vector<double> scales;
  for (size_t i = 0; i < target->axes.size(); ++i) {
    const int64_t in = c.x().shape[static_cast<size_t>(target->axes[i])];
    if (in <= 0) return MICRORT_ERROR(kUnsupported, "keep_aspect_ratio_policy needs an input of fixed size");
    scales.push_back(static_cast<double>(target->sizes[i]) / static_cast<double>(in));
  }
  const auto [smallest, largest] = std::minmax_element(scales.begin(), scales.end());
  const double scale = policy == "not_larger" ? *smallest : *largest;
  for (size_t i = 0; i < target->axes.size(); ++i) {
    const int64_t in = c.x().shape[static_cast<size_t>(target->axes[i])];
    target->sizes[i] = static_cast<int64_t>(std::floor(scale * static_cast<double>(in) + 0.5));
  }
  return Status();
}

// Fills in all axes. Axes that are not named keep their size, which for `sizes` must be fixed.
Status SpreadOverAxes(const NodeContext& c, const Target& target, schema::ResizeOptionsT* options) {
  const std::vector<int64_t>& dims = c.x().shape;
  if (target.sizes.empty()) {
    options->scales.assign(dims.size(), 1.0f);
    for (size_t i = 0; i < target.axes.size(); ++i) {
      options->scales[static_cast<size_t>(target.axes[i])] = target.scales[i];
    }
    return Status();
  }
  std::vector<int64_t> sizes = dims;
  for (size_t i = 0; i < target.axes.size(); ++i)
    sizes[static_cast<size_t>(target.axes[i])] = target.sizes[i];
  for (int64_t size : sizes) {
    if (size == ir::kDynamic)
      return MICRORT_ERROR(kUnsupported, "sizes beside dimensions that are not fixed");
    options->sizes.push_back(0);
    MICRORT_RETURN_IF_ERROR(ToInt32(size, "sizes", &options->sizes.back()));
  }
  return Status();
}

template <typename T>
void ToNhwcOrder(std::vector<T>* list) {
  if (list->size() == 4) *list = {(*list)[0], (*list)[2], (*list)[3], (*list)[1]};
}

Status ImportResize(NodeContext& c) {
  c.Ignore({"extrapolation_value"});  // belongs to tf_crop_and_resize
  schema::ResizeOptionsT options;
  MICRORT_RETURN_IF_ERROR(ReadInterpolation(c, &options));
  MICRORT_RETURN_IF_ERROR(ReadCoordinates(c, &options));
  if (c.Int("antialias", 0) != 0) return MICRORT_ERROR(kUnsupported, "antialias");
  Target target;
  MICRORT_RETURN_IF_ERROR(ReadTarget(c, &target));
  MICRORT_RETURN_IF_ERROR(ApplyAspectPolicy(c, &target));
  MICRORT_RETURN_IF_ERROR(SpreadOverAxes(c, target, &options));
  if (c.x().rank() != 4) return c.Return(c.build.Add(std::move(options), {c.input(0)}));
  ToNhwcOrder(&options.scales);
  ToNhwcOrder(&options.sizes);
  const ir::ValueId x = ToNhwc(c, c.input(0), 4);
  return c.Return(FromNhwc(c, c.build.Add(std::move(options), {x}), 4));
}

constexpr OpImporter kImporters[] = {
    {"Resize", 1, 4, ImportResize},
    {"Upsample", 1, 2, ImportResize},
};

}  // namespace

Span<const OpImporter> ResizeImporters() { return kImporters; }

}  // namespace micrort::frontend
