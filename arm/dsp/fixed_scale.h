#pragma once
// Rounding as TensorFlow Lite does, an element at a time.

#include "kernels/base/fixed_point.h"

namespace micrort {

namespace {

inline int32_t WrappedAdd(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

// DoublingHighMul() for b >= 0: the bit that is shifted out last rounds.
inline int32_t DoublingHighMulBy(int32_t a, int32_t b) {
  int32_t low, high;
  asm("smull %0, %1, %2, %3\n\tlsrs %0, %0, #31\n\tadc %1, %0, %1, lsl #1"
      : "=&r"(low), "=&r"(high)
      : "r"(a), "r"(b)
      : "cc");
  return high;
}

// Multiply() of kernels/base/fixed_point.h for one column, without branches and 64-bit shifts.
class FixedScale {
 public:
  explicit FixedScale(FixedMultiplier by)
      : multiplier_(by.multiplier), left_(by.shift > 0 ? by.shift : 0), last_(by.shift < 0 ? 1 : 0) {
    first_ = left_ - by.shift - last_;
  }

  int32_t operator()(int32_t sum) const {
    const int32_t x = DoublingHighMulBy(ShiftLeftWrapped(sum, left_), multiplier_);
    // Halves away from zero: the last bit that is shifted out rounds up.
    const int32_t towards = x + (x >> 31 & -last_);
    return ((towards >> first_) + last_) >> last_;
  }

 private:
  int32_t multiplier_;
  int left_;
  int first_, last_;  // bits to the right, before and in rounding
};

// The same for shifts to the right, which most are.
class FixedScaleDown {
 public:
  static bool Takes(FixedMultiplier by) { return by.shift < 0; }
  explicit FixedScaleDown(FixedMultiplier by) : multiplier_(by.multiplier), first_(-by.shift - 1) {}

  int32_t operator()(int32_t sum) const {
    const int32_t x = DoublingHighMulBy(sum, multiplier_);
    return (((x + (x >> 31)) >> first_) + 1) >> 1;
  }

 private:
  int32_t multiplier_;
  int first_;
};

}  // namespace

}  // namespace micrort
