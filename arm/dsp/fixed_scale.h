#pragma once
// Rounding as TensorFlow Lite does, an element at a time.

#include "kernels/base/fixed_point.h"

namespace micrort {

namespace {

inline int32_t WrappedAdd(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

// Multiply() of kernels/base/fixed_point.h for one column, without 64-bit shifts.
class FixedScale {
 public:
  explicit FixedScale(FixedMultiplier by)
      : multiplier_(by.multiplier), left_(by.shift > 0 ? by.shift : 0), right_(left_ - by.shift) {}

  int32_t operator()(int32_t sum) const {
    const int32_t x = DoublingHighMul(ShiftLeftWrapped(sum, left_), multiplier_);
    if (right_ == 0) return x;
    // Halves away from zero. x is never INT32_MIN: multipliers are below 2^31.
    const int32_t towards = x + (x >> 31);
    return (towards >> right_) + (towards >> (right_ - 1) & 1);
  }

 private:
  int32_t multiplier_;
  int left_, right_;
};

}  // namespace

}  // namespace micrort
