#include "kernels/resize/resize_axis.h"

#include <algorithm>
#include <cmath>

namespace micrort {

namespace {

// The coordinate in the input of an output position.
float SourceCoordinate(ResizeCoordinates mode, const ResizeAxis& axis, int64_t position) {
  const float x = static_cast<float>(position);
  const float in = static_cast<float>(axis.in);
  const float out = static_cast<float>(axis.out);
  const float length = axis.length > 0 ? axis.length : out;
  switch (mode) {
    case ResizeCoordinates::kAsymmetric:
      return x / axis.scale;
    case ResizeCoordinates::kAlignCorners:
      return axis.out == 1 ? 0.0f : x * (in - 1.0f) / (length - 1.0f);
    case ResizeCoordinates::kPytorchHalfPixel:
      return axis.out == 1 ? 0.0f : (x + 0.5f) / axis.scale - 0.5f;
    case ResizeCoordinates::kTfHalfPixelForNn:
      return (x + 0.5f) / axis.scale;
    case ResizeCoordinates::kHalfPixelSymmetric:
      // Shifts the output so that its centre is the input's, although its size was rounded.
      return 0.5f * in * (1.0f - out / (axis.scale * in)) + (x + 0.5f) / axis.scale - 0.5f;
    case ResizeCoordinates::kTfCropAndResize: {
      const float size = axis.roi_end - axis.roi_begin;
      const float start = axis.roi_begin * (in - 1.0f);
      return start + (axis.out == 1 ? size * (in - 1.0f) / 2.0f : x * size * (in - 1.0f) / (out - 1.0f));
    }
    case ResizeCoordinates::kHalfPixel:
      break;
  }
  return (x + 0.5f) / axis.scale - 0.5f;
}

float Round(ResizeRounding rounding, float x) {
  switch (rounding) {
    case ResizeRounding::kRoundPreferFloor:
      return std::ceil(x - 0.5f);
    case ResizeRounding::kRoundPreferCeil:
      return std::floor(x + 0.5f);
    case ResizeRounding::kFloor:
      return std::floor(x);
    case ResizeRounding::kCeil:
      break;
  }
  return std::ceil(x);
}

// Clamped before the conversion, which is undefined outside the range of the integer.
int64_t ToIndex(float x, int64_t in) {
  if (!(x > 0.0f)) return 0;
  return x >= static_cast<float>(in - 1) ? in - 1 : static_cast<int64_t>(x);
}

void LinearTaps(float x, int64_t in, int32_t* indices, float* weights) {
  x = std::clamp(x, 0.0f, static_cast<float>(in - 1));
  const int64_t first = ToIndex(x, in);
  indices[0] = static_cast<int32_t>(first);
  indices[1] = static_cast<int32_t>(std::min(first + 1, in - 1));
  weights[1] = x - static_cast<float>(first);
  weights[0] = 1.0f - weights[1];
}

// Keys' kernel at a distance in [0, 2].
double CubicWeight(double a, double distance) {
  const double d = distance;
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
}

// At a distance in filter units from the coordinate.
double FilterWeight(const ResizeMethod& method, double distance) {
  if (method.mode == ResizeMode::kLinear) return distance < 1 ? 1 - distance : 0;
  return distance < 2 ? CubicWeight(static_cast<double>(method.cubic_a), distance) : 0;
}

// The filter's weights around x; `narrowing` <= 1 widens it. Taps outside the input repeat its border or, if
// they are excluded, weigh nothing.
void FilterTaps(const ResizeMethod& method, float x, double narrowing, int64_t taps, int64_t in,
                int32_t* indices, float* weights) {
  // Elements of the border serve all coordinates further out.
  const double reach = static_cast<double>(taps);
  const double at = std::clamp(static_cast<double>(x), -reach, static_cast<double>(in) - 1 + reach);
  const double left = std::floor(at);
  const auto first = static_cast<int64_t>(left) + 1 - taps / 2;
  double sum = 0;
  for (int64_t t = 0; t < taps; ++t) {
    const int64_t i = first + t;
    const double weight = FilterWeight(method, std::fabs(static_cast<double>(i) - at) * narrowing);
    const bool excluded = method.exclude_outside && (i < 0 || i >= in);
    indices[t] = static_cast<int32_t>(std::clamp<int64_t>(i, 0, in - 1));
    weights[t] = excluded ? 0 : static_cast<float>(weight);
    sum += excluded ? 0 : weight;
  }
  // Without excluded taps and antialiasing the sum is 1 but for rounding. Where all are excluded or cancel,
  // nothing is left.
  if (sum == 0 || !(method.exclude_outside || method.antialias)) return;
  for (int64_t t = 0; t < taps; ++t) weights[t] = static_cast<float>(static_cast<double>(weights[t]) / sum);
}

// How much narrower than the output's the input's elements are; 1 without antialiasing.
double Narrowing(const ResizeMethod& method, const ResizeAxis& axis) {
  return method.antialias ? std::min(static_cast<double>(axis.scale), 1.0) : 1.0;
}

}  // namespace

int64_t ResizeTaps(const ResizeMethod& method, const ResizeAxis& axis) {
  if (method.mode == ResizeMode::kNearest) return 1;
  const double reach = (method.mode == ResizeMode::kLinear ? 1 : 2) / Narrowing(method, axis);
  return reach > kMaxResizeTaps / 2 ? -1 : 2 * static_cast<int64_t>(std::ceil(reach));
}

void MakeResizeTable(const ResizeMethod& method, const ResizeAxis& axis, int32_t* indices, float* weights) {
  const int64_t taps = ResizeTaps(method, axis);
  const bool crops = method.coordinates == ResizeCoordinates::kTfCropAndResize;
  for (int64_t i = 0; i < axis.out; ++i, indices += taps) {
    const float x = SourceCoordinate(method.coordinates, axis, i);
    const bool outside = crops && !(x >= 0 && x <= static_cast<float>(axis.in - 1));
    if (method.mode == ResizeMode::kNearest) {
      *indices = static_cast<int32_t>(ToIndex(Round(method.rounding, x), axis.in));
    } else if (method.mode == ResizeMode::kLinear && !method.antialias) {
      LinearTaps(x, axis.in, indices, weights + i * taps);
    } else {
      FilterTaps(method, x, Narrowing(method, axis), taps, axis.in, indices, weights + i * taps);
    }
    if (outside) *indices = kOutside;
  }
}

}  // namespace micrort
