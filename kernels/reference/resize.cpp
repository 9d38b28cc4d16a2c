#include "kernels/reference/resize.h"

#include <algorithm>
#include <cmath>

namespace micrort::reference {

namespace {

// In float, as the contract says: which element is nearest depends on it.
float Coordinate(const ResizeMethod& method, const ResizeAxis& axis, float i) {
  const float in = static_cast<float>(axis.in);
  const float out = static_cast<float>(axis.out);
  const float length = axis.length > 0 ? axis.length : out;
  switch (method.coordinates) {
    case ResizeCoordinates::kHalfPixel:
      return (i + 0.5f) / axis.scale - 0.5f;
    case ResizeCoordinates::kPytorchHalfPixel:
      return out > 1 ? (i + 0.5f) / axis.scale - 0.5f : 0;
    case ResizeCoordinates::kAlignCorners:
      return out > 1 ? i * (in - 1) / (length - 1) : 0;
    case ResizeCoordinates::kAsymmetric:
      return i / axis.scale;
    case ResizeCoordinates::kTfHalfPixelForNn:
      return (i + 0.5f) / axis.scale;
    case ResizeCoordinates::kHalfPixelSymmetric: {
      const float adjustment = out / (axis.scale * in);
      return in / 2 * (1 - adjustment) + (i + 0.5f) / axis.scale - 0.5f;
    }
    case ResizeCoordinates::kTfCropAndResize: {
      const float roi = axis.roi_end - axis.roi_begin;
      const float begin = axis.roi_begin * (in - 1);
      return begin + (out > 1 ? i * roi * (in - 1) / (out - 1) : roi * (in - 1) / 2);
    }
  }
  return 0;
}

// The weight of input element j for the output at coordinate x, which may be outside the input.
double Weight(const ResizeMethod& method, double scale, double x, double j) {
  const double d = std::fabs(x - j) * (method.antialias && scale < 1 ? scale : 1);
  const double a = method.cubic_a;
  switch (method.mode) {
    case ResizeMode::kNearest:
      break;
    case ResizeMode::kLinear:
      return d < 1 ? 1 - d : 0;
    case ResizeMode::kCubic:
      if (d <= 1) return (a + 2) * d * d * d - (a + 3) * d * d + 1;
      return d < 2 ? a * d * d * d - 5 * a * d * d + 8 * a * d - 4 * a : 0;
  }
  const double fraction = x - std::floor(x);
  switch (method.rounding) {
    case ResizeRounding::kRoundPreferFloor:
      return j == (fraction <= 0.5 ? std::floor(x) : std::ceil(x));
    case ResizeRounding::kRoundPreferCeil:
      return j == (fraction < 0.5 ? std::floor(x) : std::ceil(x));
    case ResizeRounding::kFloor:
      return j == std::floor(x);
    case ResizeRounding::kCeil:
      return j == std::ceil(x);
  }
  return 0;
}

// Output element i of a line of axis.in elements that are `stride` apart.
double ResizeElement(const ResizeMethod& method, const ResizeAxis& axis, double outside, int64_t i,
                     const double* line, int64_t stride) {
  const double x = Coordinate(method, axis, static_cast<float>(i));
  if (method.coordinates == ResizeCoordinates::kTfCropAndResize &&
      (x < 0 || x > static_cast<double>(axis.in - 1))) {
    return outside;
  }
  constexpr int64_t kReach = 64;  // elements outside that repeat the border
  // Further ones weigh nothing.
  const double width = method.antialias && axis.scale < 1 ? 2 / static_cast<double>(axis.scale) : 2;
  const auto first = std::max(-kReach, static_cast<int64_t>(std::floor(x - width)));
  const auto last = std::min(axis.in + kReach, static_cast<int64_t>(std::ceil(x + width)) + 1);
  double value = 0;
  double sum = 0;
  for (int64_t j = first; j < last; ++j) {
    const int64_t inside = j < 0 ? 0 : j >= axis.in ? axis.in - 1 : j;
    if (method.exclude_outside && method.mode != ResizeMode::kNearest && inside != j) continue;
    const double weight = Weight(method, axis.scale, x, static_cast<double>(j));
    value += weight * line[inside * stride];
    sum += weight;
  }
  return (method.exclude_outside || method.antialias) && sum != 0 ? value / sum : value;
}

}  // namespace

std::vector<double> Resize(const ResizeMethod& method, const Shape& in, const ResizeAxis* axes,
                           double outside, const std::vector<double>& x) {
  std::vector<double> current = x;
  Shape shape = in;
  for (int a = 0; a < in.rank; ++a) {
    const ResizeAxis& axis = axes[a];
    const bool crops = method.coordinates == ResizeCoordinates::kTfCropAndResize &&
                       (axis.roi_begin != 0 || axis.roi_end != 1);
    if (axis.in == axis.out && axis.scale == 1 && !crops) continue;
    const int64_t outer = shape.product(0, a);
    const int64_t inner = shape.product(a + 1, shape.rank);
    std::vector<double> next(static_cast<size_t>(outer * axis.out * inner));
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t i = 0; i < axis.out; ++i) {
        for (int64_t k = 0; k < inner; ++k) {
          next[static_cast<size_t>((o * axis.out + i) * inner + k)] =
              ResizeElement(method, axis, outside, i, current.data() + o * axis.in * inner + k, inner);
        }
      }
    }
    current = next;
    shape[a] = axis.out;
  }
  return current;
}

}  // namespace micrort::reference
