#include "converter/frontend/tflite/ops/inverse_sqrt.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "converter/frontend/tflite/ops/int16.h"
#include "converter/frontend/tflite/ops/integer_sums.h"
#include "kernels/base/fixed_point.h"

namespace micrort::frontend::tflite {

namespace {

constexpr int32_t kEntries = INT16_MAX + 1;
// Roots have so many bits behind the point before they get the output's scale.
constexpr int32_t kRootBits = 20;
constexpr int32_t kMostShift = 31;

// 1 / sqrt(x) of x > 1 as a multiplier, by five steps of Newton's method on numbers with 28 bits behind the
// point: r becomes 3/2 r - x/2 r^3.
FixedMultiplier InverseSqrt(int32_t x) {
  constexpr int32_t kOne = 1 << 28, kHalfThree = kOne + kOne / 2, kHalfSqrt2 = 1518500250;
  int32_t shift = 11;
  for (; x < (1 << 27); --shift) x *= 4;
  const int32_t half = ShiftRightRounded(x >> 1, 1);
  int32_t root = kOne;
  for (int step = 0; step < 5; ++step) {
    const int32_t cube = ShiftLeftSaturated(DoublingHighMul(DoublingHighMul(root, root), root), 6);
    root = ShiftLeftSaturated(DoublingHighMul(kHalfThree, root) - DoublingHighMul(half, cube), 3);
  }
  root = DoublingHighMul(root, kHalfSqrt2);
  return shift < 0 ? FixedMultiplier{ShiftLeftWrapped(root, -shift), 0} : FixedMultiplier{root, -shift};
}

// `by`: to the output's scale. 0 has the largest number there is.
int16_t Entry(int32_t x, FixedMultiplier by) {
  if (x == 0) return INT16_MAX;
  FixedMultiplier root = x == 1 ? FixedMultiplier{INT32_MAX, 0} : InverseSqrt(x);
  root.shift += kRootBits;
  const int32_t y = Multiply(Multiply(1, root), {by.multiplier, by.shift - kRootBits});
  return static_cast<int16_t>(std::clamp<int32_t>(y, INT16_MIN, INT16_MAX));
}

}  // namespace

Status RunInverseSqrtInt16(OpContext& c, bool* is_done) {
  *is_done = false;
  if (!ComputesInt16(c, 1)) return Status();
  ir::Quantization x, y;
  MICRORT_RETURN_IF_ERROR(ReadQuantization(c.op.tensor(0), &x));
  MICRORT_RETURN_IF_ERROR(ReadQuantization(c.op.output_tensor(0), &y));
  const double scale = 1.0 / (std::sqrt(static_cast<double>(x.scales[0])) * static_cast<double>(y.scales[0]));
  const FixedMultiplier by = NearestFixedMultiplier(scale);
  if (by.shift - kRootBits < -kMostShift || by.shift - kRootBits > kMostShift) return Status();
  std::vector<int16_t> table;
  for (int32_t i = 0; i < kEntries; ++i) table.push_back(Entry(i, by));
  // Negative numbers, which the kernel refuses, have the largest, too.
  const ir::ValueId place = c.build.Binary(schema::BinaryKind::Max, c.build.Cast(c.stored(0), DType::kInt32),
                                           c.build.Constant<int32_t>({}, {0}));
  const ir::ValueId entry = c.build.Gather(c.build.Constant<int16_t>({kEntries}, table), place, 0);
  c.SetStoredOutput(0, Relabelled(c.build, entry, y));
  *is_done = true;
  return c.build.status();
}

}  // namespace micrort::frontend::tflite
