#include "kernels/elementwise/softmax_s16.h"

#include <algorithm>

#include "kernels/elementwise/softmax_tables.h"

namespace micrort {
namespace {

int32_t ToInt16(int32_t x) { return std::clamp<int32_t>(x, INT16_MIN, INT16_MAX); }

// `x`: any int16, of which the upper nine bits choose a part of the range.
int32_t LookUp(const int16_t* table, int32_t x) {
  constexpr int kFractionBits = 7;
  const int32_t entry = (x - INT16_MIN) >> kFractionBits, fraction = x & ((1 << kFractionBits) - 1);
  const int32_t slope = table[entry + 1] - table[entry];
  return table[entry] + ((slope * fraction + (1 << (kFractionBits - 1))) >> kFractionBits);
}

class SoftmaxRow {
 public:
  SoftmaxRow(const SoftmaxS16Task& task, const int16_t* x)
      : task_(task), max_(*std::max_element(x, x + task.n)) {}

  // 2^15 * exp(x - max)
  int32_t Exp(int32_t x) const {
    return LookUp(kExpTable, ToInt16(Multiply(x - max_, task_.x_by) + INT16_MAX));
  }

 private:
  const SoftmaxS16Task& task_;
  const int32_t max_;
};

// What exponentials are multiplied by, and then shifted right, so that they become parts of their sum.
struct Reciprocal {
  int32_t value;
  int shift;

  // The sum is positive: the largest element adds nearly 2^15.
  explicit Reciprocal(int32_t sum) {
    const int zeros = __builtin_clz(static_cast<uint32_t>(sum));
    // In [2^16, 2^17]: x of 1 / (1 + x) is what is above 2^16.
    const auto normal = static_cast<int32_t>(((static_cast<int64_t>(sum) << (zeros - 1)) + (1 << 13)) >> 14);
    value = LookUp(kReciprocalTable, ToInt16(normal - (1 << 16) + INT16_MIN));
    shift = 31 - zeros;
  }

  int16_t Part(int32_t exp) const {
    const int64_t part = (int64_t{exp} * value + (int64_t{1} << (shift - 1))) >> shift;
    return static_cast<int16_t>(std::clamp<int64_t>(part, 0, INT16_MAX));
  }
};

}  // namespace

SoftmaxS16Task PlanSoftmaxS16(size_t rows, size_t n, float x_scale) {
  return {rows, n, NearestFixedMultiplier(static_cast<double>(x_scale) / (10.0 / 65535.0))};
}

void SoftmaxS16(const SoftmaxS16Task& task, const int16_t* x, int16_t* y, const Parallel& parallel) {
  if (task.n == 0) return;
  ParallelFor(parallel, task.rows, [&](size_t row, int) {
    const int16_t* const in = x + row * task.n;
    int16_t* const out = y + row * task.n;
    const SoftmaxRow softmax(task, in);
    int32_t sum = 0;
    for (size_t i = 0; i < task.n; ++i) {
      const int32_t exp = softmax.Exp(in[i]);
      out[i] = static_cast<int16_t>(exp);
      sum += exp;
    }
    const Reciprocal reciprocal(sum);
    for (size_t i = 0; i < task.n; ++i) out[i] = reciprocal.Part(out[i]);
  });
}

}  // namespace micrort
