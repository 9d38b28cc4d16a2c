#include "kernels/elementwise/softmax_fixed.h"

#include <algorithm>
#include <cmath>

namespace micrort {
namespace {

// Numbers are int32 with some bits before the point. With none of them the largest, INT32_MAX, stands for 1.
// DoublingHighMul gives products that have as many bits before the point as both factors together.
constexpr int kDifferenceBits = 5, kSumBits = 12;  // before the point
constexpr int kDifferenceFraction = 31 - kDifferenceBits;

// Below 1, without bits before the point.
constexpr int32_t Fraction(double x) { return static_cast<int32_t>(x * 2147483648.0 + 0.5); }

// exp(x) for x in [-1/4, 0): four terms of the series around -1/8.
int32_t ExpOfSmall(int32_t x) {
  constexpr int32_t kExpOfCenter = Fraction(0.8824969025845955), kThird = Fraction(1.0 / 3);
  const int32_t d = x + (int32_t{1} << 28);
  const int32_t d2 = DoublingHighMul(d, d);
  const int32_t d3 = DoublingHighMul(d2, d);
  const int32_t d4 = DoublingHighMul(d2, d2);
  const int32_t third = DoublingHighMul(ShiftRightRounded(d4, 2) + d3, kThird);
  return kExpOfCenter + DoublingHighMul(kExpOfCenter, d + ShiftRightRounded(third + d2, 1));
}

// exp(x) for x <= 0 with kDifferenceBits: of what is left over from a multiple of 1/4, times a factor for
// every bit of that multiple.
int32_t ExpOfNegative(int32_t x) {
  constexpr int32_t kQuarter = int32_t{1} << (kDifferenceFraction - 2);
  constexpr int32_t kFactors[] = {Fraction(0.7788007830714049),    Fraction(0.6065306597126334),
                                  Fraction(0.36787944117144233),   Fraction(0.1353352832366127),
                                  Fraction(0.01831563888873418),   Fraction(0.00033546262790251185),
                                  Fraction(1.1253517471925912e-07)};
  if (x == 0) return INT32_MAX;
  const int32_t rest = (x & (kQuarter - 1)) - kQuarter;
  const int32_t multiple = rest - x;
  int32_t result = ExpOfSmall(ShiftLeftSaturated(rest, kDifferenceBits));
  int32_t bit = kQuarter;
  for (const int32_t factor : kFactors) {
    if ((multiple & bit) != 0) result = DoublingHighMul(result, factor);
    bit = ShiftLeftWrapped(bit, 1);
  }
  return result;
}

// 1 / (1 + x) for x in [0, 1): three steps of Newton's method, in numbers with two bits before the point.
int32_t ReciprocalOfOnePlus(int32_t x) {
  constexpr int32_t kOne = int32_t{1} << 29;
  constexpr int32_t k48Over17 = 1515870810, kMinus32Over17 = -1010580540;
  const auto half = static_cast<int32_t>((int64_t{x} + INT32_MAX + 1) / 2);
  int32_t y = k48Over17 + DoublingHighMul(half, kMinus32Over17);
  for (int i = 0; i < 3; ++i) {
    const int32_t error = kOne - DoublingHighMul(half, y);
    y += ShiftLeftSaturated(DoublingHighMul(y, error), 2);
  }
  return ShiftLeftSaturated(y, 1);
}

class Row {
 public:
  Row(const SoftmaxFixedTask& task, const int8_t* x)
      : task_(task), x_(x), max_(*std::max_element(x, x + task.n)) {
    int32_t sum = 0;
    for (size_t i = 0; i < task.n; ++i) {
      if (Counts(i)) sum += ShiftRightRounded(Exp(i), kSumBits);
    }
    // The largest element alone counts for 1, so the sum is positive.
    const int zeros = __builtin_clz(static_cast<unsigned>(sum));
    const uint32_t above_one = (static_cast<uint32_t>(sum) << zeros) - (uint32_t{1} << 31);
    reciprocal_ = ReciprocalOfOnePlus(static_cast<int32_t>(above_one));
    shift_ = kSumBits - zeros + 31 - 8;
  }

  int8_t operator()(size_t i) const {
    if (!Counts(i)) return INT8_MIN;
    const int32_t y = ShiftRightRounded(DoublingHighMul(reciprocal_, Exp(i)), shift_) + INT8_MIN;
    return static_cast<int8_t>(std::clamp<int32_t>(y, INT8_MIN, INT8_MAX));
  }

 private:
  int32_t Difference(size_t i) const { return x_[i] - max_; }
  bool Counts(size_t i) const { return Difference(i) >= task_.lowest; }
  int32_t Exp(size_t i) const {
    const int32_t shifted = ShiftLeftWrapped(Difference(i), task_.x_by.shift);
    return ExpOfNegative(DoublingHighMul(shifted, task_.x_by.multiplier));
  }

  const SoftmaxFixedTask& task_;
  const int8_t* const x_;
  const int32_t max_;
  int32_t reciprocal_;
  int shift_;
};

}  // namespace

SoftmaxFixedTask PlanSoftmaxFixed(size_t rows, size_t n, float x_scale) {
  const auto unit = static_cast<double>(int64_t{1} << kDifferenceFraction);
  // Scales that no model has are kept from shifts that do not exist.
  const double by = std::clamp(static_cast<double>(x_scale) * unit, 1.0, static_cast<double>(INT32_MAX));
  const FixedMultiplier x_by = NearestFixedMultiplier(by);
  const double lowest = ((1 << kDifferenceBits) - 1) * unit / static_cast<double>(int64_t{1} << x_by.shift);
  return {rows, n, x_by, -static_cast<int32_t>(lowest)};
}

void SoftmaxFixed(const SoftmaxFixedTask& task, const int8_t* x, int8_t* y, const Parallel& parallel) {
  if (task.n == 0) return;
  ParallelFor(parallel, task.rows, [&](size_t row, int) {
    const Row softmax(task, x + row * task.n);
    for (size_t i = 0; i < task.n; ++i) y[row * task.n + i] = softmax(i);
  });
}

}  // namespace micrort
