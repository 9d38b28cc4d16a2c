#include "kernels/base/fixed_point.h"

#include <cmath>

namespace micrort {

FixedMultiplier NearestFixedMultiplier(double x) {
  constexpr int64_t kOne = int64_t{1} << 31;
  constexpr int kLargestShift = 31;
  if (!(x > 0)) return {0, 0};
  int shift = 0;
  // Halves away from zero, as TensorFlow Lite rounds them.
  auto multiplier = static_cast<int64_t>(std::floor(std::frexp(x, &shift) * static_cast<double>(kOne) + 0.5));
  if (multiplier == kOne) {
    multiplier /= 2;
    ++shift;
  }
  if (shift < -kLargestShift) return {0, 0};
  if (shift > kLargestShift) return {INT32_MAX, kLargestShift};
  return {static_cast<int32_t>(multiplier), shift};
}

}  // namespace micrort
