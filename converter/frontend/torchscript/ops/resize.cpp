// Images and sequences made larger or smaller.

#include <cmath>

#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

constexpr double kMaxScale = 1 << 24;

struct Mode {
  const char* name;
  int spatial;
  bool has_corners;  // an argument align_corners
  bool antialias = false;
  bool is_exact = false;  // nearest by the middles of elements
};

// Sizes as [N, C, ...] for ONNX: the leading ones stay.
ir::ValueId SizesOf(OpContext& c, ir::ValueId x, const Value& given) {
  return c.Onnx("Concat", {c.build.SizesOf(x, 0, 2), c.IntegerTensor(given)}, {{"axis", int64_t{0}}});
}

// (self, output_size, [align_corners,] scales...), (input, output_size, [align_corners,] scale_factors)
template <const Mode& mode>
void ImportUpsample(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const auto spatial = static_cast<size_t>(mode.spatial);
  if (c.rank(x) != mode.spatial + 2) return c.Fail(Unsupported("a tensor of {} dimensions", c.rank(x)));
  const bool align_corners = mode.has_corners && c.Bool(2, false);
  const size_t first = mode.has_corners ? 3 : 2;
  std::vector<double> scales;
  if (c.arg(first).is_sequence()) {
    scales = c.Floats(first);
  } else {
    for (size_t i = first; i < first + spatial && c.Has(i); ++i) scales.push_back(c.Float(i, 1));
  }
  const std::string name = mode.name;
  std::vector<Attribute> attributes = {{"mode", name}};
  const std::string coordinates = mode.is_exact       ? "half_pixel"
                                  : name == "nearest" ? "asymmetric"
                                  : align_corners     ? "align_corners"
                                                      : "half_pixel";
  attributes.push_back({"coordinate_transformation_mode", coordinates});
  if (name == "nearest")
    attributes.push_back({"nearest_mode", std::string(mode.is_exact ? "round_prefer_ceil" : "floor")});
  // Filters against aliases are Pillow's: what lies outside of the image has no weight.
  if (name == "cubic") attributes.push_back({"cubic_coeff_a", mode.antialias ? -0.5f : -0.75f});
  if (mode.antialias)
    attributes.insert(attributes.end(), {{"antialias", int64_t{1}}, {"exclude_outside", int64_t{1}}});
  for (const double scale : scales) {
    if (!(scale > 0 && scale <= kMaxScale)) return c.Fail(Invalid("a scale of {}", scale));
  }
  // With corners aligned, sizes alone count.
  if (scales.size() == spatial && align_corners) {
    std::vector<int64_t> sizes;
    for (size_t i = 0; i < spatial; ++i) {
      sizes.push_back(static_cast<int64_t>(
          std::floor(static_cast<double>(c.FixedDim(x, static_cast<int>(2 + i))) * scales[i])));
    }
    return c.Return(
        c.Onnx("Resize", {x, ir::kNoValue, ir::kNoValue, SizesOf(c, x, Value::Ints(sizes))}, attributes));
  }
  if (scales.size() == spatial) {
    std::vector<float> all = {1, 1};
    for (const double s : scales) all.push_back(static_cast<float>(s));
    const auto count = static_cast<int64_t>(all.size());
    return c.Return(c.Onnx("Resize", {x, ir::kNoValue, c.build.Constant({count}, all)}, attributes));
  }
  if (!c.Has(1)) return c.Fail(Invalid("neither a size nor scales"));
  c.Return(c.Onnx("Resize", {x, ir::kNoValue, ir::kNoValue, SizesOf(c, x, c.arg(1))}, attributes));
}

constexpr Mode kNearest1d = {"nearest", 1, false}, kNearest2d = {"nearest", 2, false},
               kNearest3d = {"nearest", 3, false};
constexpr Mode kExact1d = {"nearest", 1, false, false, true}, kExact2d = {"nearest", 2, false, false, true},
               kExact3d = {"nearest", 3, false, false, true};
constexpr Mode kLinear1d = {"linear", 1, true}, kLinear2d = {"linear", 2, true},
               kLinear3d = {"linear", 3, true};
constexpr Mode kCubic2d = {"cubic", 2, true}, kLinear2dAa = {"linear", 2, true, true},
               kCubic2dAa = {"cubic", 2, true, true};

constexpr char kNearest[] = "self output_size a b c";
constexpr char kWithCorners[] = "self output_size align_corners a b c";

}  // namespace

const ImporterList ResizeOps = {
    {"_upsample_bicubic2d_aa", kWithCorners, ImportUpsample<kCubic2dAa>},
    {"_upsample_bilinear2d_aa", kWithCorners, ImportUpsample<kLinear2dAa>},
    {"_upsample_nearest_exact1d", kNearest, ImportUpsample<kExact1d>},
    {"_upsample_nearest_exact2d", kNearest, ImportUpsample<kExact2d>},
    {"_upsample_nearest_exact3d", kNearest, ImportUpsample<kExact3d>},
    {"upsample_bicubic2d", kWithCorners, ImportUpsample<kCubic2d>},
    {"upsample_bilinear2d", kWithCorners, ImportUpsample<kLinear2d>},
    {"upsample_linear1d", kWithCorners, ImportUpsample<kLinear1d>},
    {"upsample_nearest1d", kNearest, ImportUpsample<kNearest1d>},
    {"upsample_nearest2d", kNearest, ImportUpsample<kNearest2d>},
    {"upsample_nearest3d", kNearest, ImportUpsample<kNearest3d>},
    {"upsample_trilinear3d", kWithCorners, ImportUpsample<kLinear3d>},
};

}  // namespace micrort::frontend::torchscript
