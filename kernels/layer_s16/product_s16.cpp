#include "kernels/layer_s16/product_s16.h"

#include <algorithm>

#include "kernels/base/checked_math.h"
#include "kernels/base/task_sizes.h"
#include "kernels/layer_s16/wide_multiplier.h"

namespace micrort {
namespace {

int64_t Dot(const int16_t* a, const int16_t* b, int64_t b_stride, int64_t depth) {
  int64_t sum = 0;
  for (int64_t k = 0; k < depth; ++k) sum += int32_t{a[k]} * b[k * b_stride];
  return sum;
}

}  // namespace

void RunProductS16(const PlainProduct& p, const ProductS16Scales& scales, const int16_t* a, const int16_t* b,
                   int16_t* y, const Parallel& parallel) {
  // The scales of the factors are multiplied in float, as they are there.
  const FixedMultiplier by = WideMultiplier(
      NearestFixedMultiplier(static_cast<double>(scales.a * scales.b) / static_cast<double>(scales.y)));
  const int64_t column = p.transpose_b ? p.depth : 1, step = p.transpose_b ? 1 : p.columns;
  const int64_t rows_a_tile = std::max<int64_t>(1, kTaskProducts / std::max<int64_t>(1, p.depth * p.columns));
  ParallelFor(parallel, static_cast<size_t>(CeilDiv(p.rows, rows_a_tile)), [&](size_t tile, int) {
    const int64_t begin = static_cast<int64_t>(tile) * rows_a_tile;
    for (int64_t r = begin; r < std::min(begin + rows_a_tile, p.rows); ++r) {
      for (int64_t c = 0; c < p.columns; ++c) {
        const int32_t value = MultiplyWide(Dot(a + r * p.depth, b + c * column, step, p.depth), by);
        y[r * p.columns + c] = static_cast<int16_t>(std::clamp<int32_t>(value, INT16_MIN, INT16_MAX));
      }
    }
  });
}

}  // namespace micrort
