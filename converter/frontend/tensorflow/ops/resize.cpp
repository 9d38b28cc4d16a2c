// Images of another size, and in other colours.

#include <algorithm>
#include <cmath>

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
  if (half_pixel && align) return Invalid("half_pixel_centers and align_corners at once");
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
    if (sizes.size() != 2) return Invalid("{} sizes", sizes.size());
    const int64_t batch = c.x().shape[0], channels = c.x().shape[3];
    if (batch != ir::kDynamic && channels != ir::kDynamic) {
      for (const int64_t size : {batch, sizes[0], sizes[1], channels}) {
        options.sizes.emplace_back();
        MICRORT_ASSIGN_OR_RETURN(options.sizes.back(), ToInt32(size, "size"));
      }
      return c.Return(c.build.Add(std::move(options), {x}));
    }
  }
  const ir::ValueId shape = c.build.ShapeOf(x);
  const ir::ValueId target = c.build.Concat(
      {c.build.Slice(shape, 0, 0, 1), c.AsInt64(c.input(1)), c.build.Slice(shape, 0, 3, 4)}, 0);
  return c.Return(c.build.Add(std::move(options), {x, ir::kNoValue, ir::kNoValue, target}));
}

// A row for each of `out` pixels: how much it takes of each of `in` ones. Those beyond the last one are the
// last.
std::vector<float> AreaWeights(int64_t in, int64_t out, bool align_corners) {
  const float scale = align_corners && out > 1 ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                                               : static_cast<float>(in) / static_cast<float>(out);
  std::vector<float> weights(static_cast<size_t>(in * out));
  for (int64_t y = 0; y < out; ++y) {
    if (scale == 0.0f) weights[static_cast<size_t>(y)] = 1.0f;  // of one pixel, at both corners
    const float begin = static_cast<float>(y) * scale, end = static_cast<float>(y + 1) * scale;
    for (auto i = static_cast<int64_t>(std::floor(begin)); static_cast<float>(i) < end; ++i) {
      const float from = std::max(begin, static_cast<float>(i)),
                  to = std::min(end, static_cast<float>(i + 1));
      weights[static_cast<size_t>(y * in + std::min(i, in - 1))] += (to - from) / scale;
    }
  }
  return weights;
}

// The same where a run tells sizes: of positions y and i, max(min(y + 1, i + 1) - max(y, i), 0), in pixels of
// the input, is what both have in common.
ir::ValueId OpenAreaWeights(OpContext& c, ir::ValueId in, ir::ValueId out, bool align_corners) {
  const ir::ValueId one = c.build.Scalar(1), zero = c.build.Scalar(0);
  const auto positions = [&](ir::ValueId size, std::vector<int32_t> shape) {
    const ir::ValueId all =
        c.build.Range({c.build.Integer(0), c.build.Reshape(size, {}), c.build.Integer(1)});
    return c.build.Reshape(c.build.Cast(all, DType::kFloat32), std::move(shape));
  };
  const ir::ValueId y = positions(out, {kInferDim, 1}), i = positions(in, {1, kInferDim});
  ir::ValueId from = c.build.Cast(in, DType::kFloat32), to = c.build.Cast(out, DType::kFloat32);
  const ir::ValueId last = c.build.Sub(from, one);
  if (align_corners) {
    // To one pixel as without corners; from one by a scale that is not 0, so that areas lie in it.
    constexpr float kNearlyNothing = 1e-20f;
    const ir::ValueId is_one = c.build.Max(c.build.Sub(c.build.Scalar(2), to), zero);
    from = c.build.Max(c.build.Add(last, is_one), c.build.Scalar(kNearlyNothing));
    to = c.build.Max(c.build.Sub(to, one), one);
  }
  const ir::ValueId scale = c.build.Div(from, to);
  const ir::ValueId begin = c.build.Mul(y, scale), end = c.build.Mul(c.build.Add(y, one), scale);
  // The last pixel has no end.
  constexpr float kEndless = 1e30f;
  const ir::ValueId is_last = c.build.Max(c.build.Add(c.build.Sub(i, last), one), zero);
  const ir::ValueId pixel_end =
      c.build.Add(c.build.Add(i, one), c.build.Mul(is_last, c.build.Scalar(kEndless)));
  const ir::ValueId common = c.build.Sub(c.build.Min(end, pixel_end), c.build.Max(begin, i));
  return c.build.Div(c.build.Max(common, zero), scale);
}

Status ImportOpenResizeArea(OpContext& c, bool align_corners) {
  const ir::ValueId shape = c.build.ShapeOf(c.input(0)), sizes = c.AsInt64(c.input(1));
  // [N,C,H,W], whose sizes need not be known.
  ir::ValueId y = c.build.Transpose(c.build.Cast(c.input(0), DType::kFloat32), {0, 3, 1, 2});
  const ir::ValueId rows =
      OpenAreaWeights(c, c.build.Slice(shape, 0, 1, 2), c.build.Slice(sizes, 0, 0, 1), align_corners);
  const ir::ValueId columns =
      OpenAreaWeights(c, c.build.Slice(shape, 0, 2, 3), c.build.Slice(sizes, 0, 1, 2), align_corners);
  y = c.build.MatMul({rows, y}, false);
  y = c.build.MatMul({y, c.build.Transpose(columns, {1, 0})}, false);
  return c.Return(c.build.Transpose(y, {0, 2, 3, 1}));
}

// Each pixel is the mean of the area that it covers: two products with matrices, along height and width.
Status ImportResizeArea(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  const std::vector<int64_t>& shape = c.x().shape;
  const bool align = c.Bool("align_corners", false);
  std::vector<int64_t> sizes;
  const bool is_known = ir::IntegersOf(c.x(1), &sizes);
  if (is_known && (sizes.size() != 2 || sizes[0] < 1 || sizes[1] < 1))
    return Invalid("expected height and width, both positive");
  const int64_t height = shape[1], width = shape[2], channels = shape[3];
  if (!is_known || height < 1 || width < 1 || channels < 1) return ImportOpenResizeArea(c, align);
  constexpr int64_t kMostWeights = int64_t{1} << 26;
  if (sizes[0] > kMostWeights / height || sizes[1] > kMostWeights / width)
    return Unsupported("from {}x{} to {}x{} pixels", height, width, sizes[0], sizes[1]);
  const ir::ValueId x = c.build.As(c.input(0), DType::kFloat32);
  const ir::ValueId rows = c.build.Constant<float>({sizes[0], height}, AreaWeights(height, sizes[0], align));
  const ir::ValueId columns = c.build.Constant<float>({sizes[1], width}, AreaWeights(width, sizes[1], align));
  MICRORT_ASSIGN_OR_RETURN(const int32_t line, ToInt32(width * channels, "a row of pixels"));
  const auto int32 = [](int64_t size) { return static_cast<int32_t>(size); };
  const ir::ValueId lines = c.build.Reshape(x, {-1, int32(height), line});
  const ir::ValueId product = c.build.Add(schema::MatMulOptionsT(), {rows, lines});
  const ir::ValueId pixels = c.build.Reshape(product, {-1, int32(sizes[0]), int32(width), int32(channels)});
  return c.Return(c.build.Add(schema::MatMulOptionsT(), {columns, pixels}));
}

Status ReturnColors(OpContext& c, const char* op) {
  if (c.rank() < 1 || c.x().shape.back() != 3) return Invalid("expected three channels");
  return ReturnComposed(c, op, c.inputs());
}

Status ImportAdjustContrast(OpContext& c) {
  if (c.rank() < 3) return Invalid("images of {} dimensions", c.rank());
  return ReturnComposed(c, "__adjust_contrast", c.inputs());
}

}  // namespace

const ImporterList ImageOps = {
    {"ResizeArea", 2, 2, ImportResizeArea},
    {"ResizeBicubic", 2, 2, ImportResize<ResizeMode::Cubic>},
    {"ResizeBilinear", 2, 2, ImportResize<ResizeMode::Linear>},
    {"ResizeNearestNeighbor", 2, 2, ImportResize<ResizeMode::Nearest>},
    {"AdjustContrastv2", 2, 2, ImportAdjustContrast},
    {"AdjustHue", 2, 2, [](OpContext& c) { return ReturnColors(c, "__adjust_hue"); }},
    {"AdjustSaturation", 2, 2, [](OpContext& c) { return ReturnColors(c, "__adjust_saturation"); }},
    {"HSVToRGB", 1, 1, [](OpContext& c) { return ReturnColors(c, "__hsv_to_rgb"); }},
    {"RGBToHSV", 1, 1, [](OpContext& c) { return ReturnColors(c, "__rgb_to_hsv"); }},
};

}  // namespace micrort::frontend::tensorflow
