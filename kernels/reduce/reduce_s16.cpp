#include "kernels/reduce/reduce_s16.h"

#include <algorithm>

#include "kernels/base/checked_math.h"

namespace micrort {
namespace {

// Outputs that are summed up together.
constexpr size_t kBlock = 32;

// The multiplier of a mean takes the division in, by as many bits as the number of elements has.
FixedMultiplier Divided(FixedMultiplier by, size_t elements) {
  constexpr int32_t kMostShift = 31;
  int32_t shift = 0;
  while (elements >> (shift + 1) != 0) ++shift;
  shift = std::min(shift, kMostShift + by.shift);
  const int64_t multiplier = int64_t{by.multiplier} * (int64_t{1} << shift);
  return {static_cast<int32_t>(multiplier / static_cast<int64_t>(elements)), by.shift - shift};
}

// Rows of n adjacent columns.
void AddRows(const int16_t* x, size_t rows, size_t stride, size_t n, int32_t* sums) {
  if (n == 1) {
    int32_t sum = *sums;
    for (size_t r = 0; r < rows; ++r) sum += x[r * stride];
    *sums = sum;
    return;
  }
  for (size_t r = 0; r < rows; ++r, x += stride) {
    for (size_t c = 0; c < n; ++c) sums[c] += x[c];
  }
}

void ReduceBlock(const ReducePlan& plan, FixedMultiplier by, const int16_t* x, size_t n, int16_t* y) {
  int32_t sums[kBlock] = {};
  const size_t outer = plan.rows == 0 ? 0 : plan.reduced.iterations();
  for (size_t i = 0; i < outer; ++i) AddRows(x + plan.reduced.Offset(i), plan.rows, plan.row_stride, n, sums);
  for (size_t c = 0; c < n; ++c)
    y[c] = static_cast<int16_t>(std::clamp<int32_t>(Multiply(sums[c], by), INT16_MIN, INT16_MAX));
}

}  // namespace

bool PlanReduceS16(ReduceKind kind, size_t elements, float x_scale, float y_scale, FixedMultiplier* by) {
  if ((kind != ReduceKind::kSum && kind != ReduceKind::kMean) || elements > kMaxReduceS16Elements)
    return false;
  *by = NearestFixedMultiplier(static_cast<double>(x_scale) / static_cast<double>(y_scale));
  if (kind == ReduceKind::kMean && elements != 0) *by = Divided(*by, elements);
  return true;
}

void ReduceS16(const ReducePlan& plan, FixedMultiplier by, const int16_t* x, int16_t* y,
               const Parallel& parallel) {
  const size_t blocks = CeilDiv(plan.columns, kBlock);
  ParallelFor(parallel, plan.kept.iterations() * blocks, [&](size_t tile, int) {
    const size_t kept = tile / blocks, column = tile % blocks * kBlock;
    ReduceBlock(plan, by, x + plan.kept.Offset(kept) + column, std::min(kBlock, plan.columns - column),
                y + kept * plan.columns + column);
  });
}

}  // namespace micrort
