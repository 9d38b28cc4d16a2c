#include "kernels/gemm/plain_product.h"

#include <algorithm>

#include "kernels/base/checked_math.h"
#include "kernels/base/task_sizes.h"

namespace micrort {

namespace {

template <typename T>
void MultiplyRow(const PlainProduct& p, const T* a, const T* b, T* y) {
  std::fill(y, y + p.columns, T{0});
  for (int64_t k = 0; k < p.depth; ++k) {
    for (int64_t c = 0; c < p.columns; ++c) y[c] += a[k] * b[k * p.columns + c];
  }
}

template <typename T>
void MultiplyRowTransposed(const PlainProduct& p, const T* a, const T* b, T* y) {
  for (int64_t c = 0; c < p.columns; ++c) {
    T sum = 0;
    for (int64_t k = 0; k < p.depth; ++k) sum += a[k] * b[c * p.depth + k];
    y[c] = sum;
  }
}

template <typename T>
void RunTyped(const PlainProduct& p, const void* a, const void* b, void* y, const Parallel& parallel) {
  const int64_t row_products = std::max<int64_t>(1, p.depth * p.columns);
  const int64_t rows_a_tile = std::max<int64_t>(1, kTaskProducts / row_products);
  const auto tiles = static_cast<size_t>(CeilDiv(p.rows, rows_a_tile));
  ParallelFor(parallel, tiles, [&](size_t tile, int) {
    const int64_t begin = static_cast<int64_t>(tile) * rows_a_tile;
    for (int64_t r = begin; r < std::min(begin + rows_a_tile, p.rows); ++r) {
      const T* row = static_cast<const T*>(a) + r * p.depth;
      T* to = static_cast<T*>(y) + r * p.columns;
      p.transpose_b ? MultiplyRowTransposed(p, row, static_cast<const T*>(b), to)
                    : MultiplyRow(p, row, static_cast<const T*>(b), to);
    }
  });
}

}  // namespace

void RunPlainProduct(const PlainProduct& p, const void* a, const void* b, void* y, const Parallel& parallel) {
  if (p.columns == 0) return;
  switch (p.dtype) {
    case DType::kFloat64:
      return RunTyped<double>(p, a, b, y, parallel);
    case DType::kInt32:
    case DType::kUInt32:  // products wrap alike
      return RunTyped<uint32_t>(p, a, b, y, parallel);
    default:
      return RunTyped<uint64_t>(p, a, b, y, parallel);
  }
}

}  // namespace micrort
