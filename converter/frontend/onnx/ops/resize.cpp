// Resize and its forerunner Upsample.

#include <algorithm>
#include <map>

#include "converter/frontend/onnx/node_context.h"
#include "converter/frontend/onnx/ops/image.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

using schema::CoordinateMode;
using schema::NearestMode;
using schema::ResizeMode;

// To what size ONNX's Resize brings its input.

// One entry a dimension of the input, in the order of `layout`; kNoValue where nothing is said.
struct ResizeTarget {
  ir::ValueId roi = ir::kNoValue;     // float32, all starts, then all ends
  ir::ValueId scales = ir::kNoValue;  // float32
  ir::ValueId sizes = ir::kNoValue;   // int64
};

using schema::ReduceKind;

// What the node says, one entry for each of `axes`.
struct Request {
  std::vector<int> axes;
  ir::ValueId roi = ir::kNoValue;
  ir::ValueId scales = ir::kNoValue;
  ir::ValueId sizes = ir::kNoValue;
};

// Opset 10 has no input but the scales; in opset 11 an absent one is empty.
ir::ValueId NonEmpty(const NodeContext& c, size_t i) {
  const bool empty = !c.has_input(i) || (c.x(i).is_static() && c.x(i).elements() == 0);
  return empty ? ir::kNoValue : c.input(i);
}

Status CheckEntries(const NodeContext& c, const char* what, ir::ValueId list, size_t expected) {
  if (list == ir::kNoValue) return Status();
  const ir::Value& v = c.value(list);
  const bool fits =
      v.rank() == 1 && (v.shape[0] == ir::kDynamic || v.shape[0] == static_cast<int64_t>(expected));
  if (fits) return Status();
  return Invalid("{}: expected {} entries, found {}", what, expected,
                 v.is_static() ? std::to_string(v.elements()).c_str() : "another shape");
}

Status ReadResizedAxes(NodeContext& c, std::vector<int>* axes) {
  const std::vector<int64_t> listed = c.Ints("axes");
  *axes = ir::AxesFrom(0, c.x().rank());
  if (listed.empty()) return Status();
  MICRORT_ASSIGN_OR_RETURN(*axes, NormalizeAxes(listed, c.x().rank()));
  return CheckDistinct(*axes);
}

// Up to opset 8: one list, or, up to opset 6, a number for each side of an image.
std::vector<float> AttributeScales(NodeContext& c) {
  if (c.opset() >= 7) return c.Floats("scales");
  std::vector<float> scales(static_cast<size_t>(c.x().rank()), 1.0f);
  if (scales.size() != 4) return {};
  scales[2] = c.Float("height_scale", 1.0f);
  scales[3] = c.Float("width_scale", 1.0f);
  return scales;
}

Status ReadRequest(NodeContext& c, bool crops, Request* out) {
  MICRORT_RETURN_IF_ERROR(ReadResizedAxes(c, &out->axes));
  // Attributes, up to opset 10: input 1, later: input 2, or sizes as input 3.
  const std::vector<float> attribute = AttributeScales(c);
  if (!attribute.empty()) {
    out->scales = c.build.Constant({static_cast<int64_t>(attribute.size())}, attribute);
  } else {
    out->scales = NonEmpty(c, c.opset() < 11 ? 1 : 2);
  }
  out->sizes = NonEmpty(c, 3);
  if (crops) {
    out->roi = NonEmpty(c, 1);
    if (out->roi == ir::kNoValue) return Invalid("tf_crop_and_resize needs a roi");
    if (c.x(1).dtype != DType::kFloat32) out->roi = c.build.Cast(out->roi, DType::kFloat32);
  }
  if (out->sizes != ir::kNoValue) out->scales = ir::kNoValue;
  const size_t count = out->axes.size();
  MICRORT_RETURN_IF_ERROR(CheckEntries(c, "scales", out->scales, count));
  MICRORT_RETURN_IF_ERROR(CheckEntries(c, "sizes", out->sizes, count));
  return CheckEntries(c, "roi", out->roi, 2 * count);
}

// The dimensions of x that `axes` name.
ir::ValueId DimsOf(NodeContext& c, const std::vector<int>& axes) {
  const std::vector<int64_t> indices(axes.begin(), axes.end());
  return c.build.Gather(c.build.ShapeOf(c.input(0)), c.build.Integers(indices), 0);
}

// Sizes that keep the aspect ratio: the smallest or the largest scale that an axis asks for, for all of them.
Status ApplyAspectPolicy(NodeContext& c, Request* r) {
  const std::string policy = c.String("keep_aspect_ratio_policy", "stretch");
  if (policy == "stretch" || r->sizes == ir::kNoValue) return Status();
  if (policy != "not_larger" && policy != "not_smaller")
    return Invalid("keep_aspect_ratio_policy '{}'", policy);
  // In double precision, as sizes half way between two integers are common.
  const ir::ValueId dims = c.build.Cast(DimsOf(c, r->axes), DType::kFloat64);
  const ir::ValueId wanted = c.build.Cast(r->sizes, DType::kFloat64);
  const ReduceKind choice = policy == "not_larger" ? ReduceKind::Min : ReduceKind::Max;
  const ir::ValueId scale = c.build.Reduce(choice, c.build.Div(wanted, dims), {0}, true);
  const ir::ValueId scaled = c.build.Mul(dims, scale);
  const ir::ValueId half = c.build.Constant<double>({}, {0.5});
  const ir::ValueId rounded = c.build.Floor(c.build.Add(scaled, half));
  r->sizes = c.build.Cast(rounded, DType::kInt64);
  schema::ExpandOptionsT every_axis;
  every_axis.shape = {static_cast<int32_t>(r->axes.size())};
  r->scales = c.build.Add(std::move(every_axis), {c.build.Cast(scale, DType::kFloat32)});
  return Status();
}

// Entries of `list` for the dimensions in the order of `layout`; of those that are not among the axes,
// otherwise(dimension).
template <typename Otherwise>
void AppendInOrder(NodeContext& c, const std::vector<int>& layout, const std::vector<int>& axes,
                   ir::ValueId list, size_t first, Otherwise otherwise, std::vector<ir::ValueId>* parts) {
  for (int dim : layout) {
    const auto found = std::find(axes.begin(), axes.end(), dim);
    const auto at = static_cast<int64_t>(first) + (found - axes.begin());
    parts->push_back(found == axes.end() ? otherwise(dim) : c.build.Slice(list, 0, at, at + 1));
  }
}

// Reads scales, sizes, axes, keep_aspect_ratio_policy and, if the input is cropped, the roi, whether they are
// constants or computed. layout[i]: the dimension of the input that comes i-th.
Status ReadResizeTarget(NodeContext& c, const std::vector<int>& layout, bool crops, ResizeTarget* out) {
  Request r;
  MICRORT_RETURN_IF_ERROR(ReadRequest(c, crops, &r));
  MICRORT_RETURN_IF_ERROR(ApplyAspectPolicy(c, &r));
  const auto constant = [&c](float v) { return [&c, v](int) { return c.build.Constant<float>({1}, {v}); }; };
  const auto size = [&c](int dim) { return c.build.SizesOf(c.input(0), dim, dim + 1); };
  std::vector<ir::ValueId> parts;
  if (r.scales != ir::kNoValue) {
    AppendInOrder(c, layout, r.axes, r.scales, 0, constant(1), &parts);
    out->scales = c.build.Concat(parts, 0);
    parts.clear();
  }
  if (r.sizes != ir::kNoValue) {
    AppendInOrder(c, layout, r.axes, r.sizes, 0, size, &parts);
    out->sizes = c.build.Concat(parts, 0);
    parts.clear();
  }
  if (r.roi != ir::kNoValue) {
    AppendInOrder(c, layout, r.axes, r.roi, 0, constant(0), &parts);
    AppendInOrder(c, layout, r.axes, r.roi, r.axes.size(), constant(1), &parts);
    out->roi = c.build.Concat(parts, 0);
  }
  return c.build.status();
}

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
    MICRORT_RETURN_IF_ERROR(ToInt32(size, "sizes").status());
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
  grown.scales = c.build.Max(target.scales, one);
  shrunk.scales = c.build.Min(target.scales, one);
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
