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
  switch (mode) {
    case ResizeCoordinates::kAsymmetric:
      return x / axis.scale;
    case ResizeCoordinates::kAlignCorners:
      return axis.out == 1 ? 0.0f : x * (in - 1.0f) / (out - 1.0f);
    case ResizeCoordinates::kPytorchHalfPixel:
      return axis.out == 1 ? 0.0f : (x + 0.5f) / axis.scale - 0.5f;
    case ResizeCoordinates::kTfHalfPixelForNn:
      return (x + 0.5f) / axis.scale;
    case ResizeCoordinates::kHalfPixelSymmetric:
      // Shifts the output so that its centre is the input's, although its size was rounded.
      return 0.5f * in * (1.0f - out / (axis.scale * in)) + (x + 0.5f) / axis.scale - 0.5f;
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

void CubicTaps(const ResizeMethod& method, float x, int64_t in, int32_t* indices, float* weights) {
  x = std::clamp(x, -2.0f, static_cast<float>(in) + 1.0f);
  const float floor = std::floor(x);
  const auto first = static_cast<int64_t>(floor) - 1;
  const double fraction = static_cast<double>(x - floor);
  double w[4];
  double sum = 0;
  for (int t = 0; t < 4; ++t) {
    const int64_t i = first + t;
    const bool outside = i < 0 || i >= in;
    indices[t] = static_cast<int32_t>(std::clamp<int64_t>(i, 0, in - 1));
    w[t] = method.exclude_outside && outside
               ? 0
               : CubicWeight(static_cast<double>(method.cubic_a), std::fabs(fraction + 1 - t));
    sum += w[t];
  }
  // Without excluded taps the sum is 1 but for rounding. Where all are excluded or cancel, nothing is left.
  const double norm = method.exclude_outside && sum != 0 ? sum : 1;
  for (int t = 0; t < 4; ++t) weights[t] = static_cast<float>(w[t] / norm);
}

}  // namespace

void MakeResizeTable(const ResizeMethod& method, const ResizeAxis& axis, int32_t* indices, float* weights) {
  const int taps = ResizeTaps(method.mode);
  for (int64_t i = 0; i < axis.out; ++i) {
    const float x = SourceCoordinate(method.coordinates, axis, i);
    switch (method.mode) {
      case ResizeMode::kNearest:
        indices[i] = static_cast<int32_t>(ToIndex(Round(method.rounding, x), axis.in));
        break;
      case ResizeMode::kLinear:
        LinearTaps(x, axis.in, indices + i * taps, weights + i * taps);
        break;
      case ResizeMode::kCubic:
        CubicTaps(method, x, axis.in, indices + i * taps, weights + i * taps);
        break;
    }
  }
}

}  // namespace micrort
