#pragma once
// PRelu of rows over a vector type F of floats (kernels/base/simd/vec8.h).

#include <cstddef>

#include "kernels/elementwise/element_functions_impl.h"

namespace micrort {

// V vectors of columns of all rows. Their slopes stay in registers.
template <typename F, int V>
inline void PReluColumns(const float* slopes, float* y, size_t rows, size_t stride) {
  constexpr size_t kLanes = sizeof(F) / sizeof(float);
  F by[V];
  for (int k = 0; k < V; ++k) by[k] = F::Load(slopes + k * kLanes);
  for (size_t i = 0; i < rows; ++i, y += stride) {
#pragma GCC unroll 4
    for (int k = 0; k < V; ++k) {
      float* const p = y + k * kLanes;
      BinaryOf<BinaryKind::kPRelu>(F::Load(p), by[k]).Store(p);
    }
  }
}

template <typename F>
inline void PReluF32(const float* slopes, float* y, size_t rows, size_t columns, size_t stride) {
  constexpr size_t kLanes = sizeof(F) / sizeof(float);
  size_t j = 0;
  for (; j + 4 * kLanes <= columns; j += 4 * kLanes) PReluColumns<F, 4>(slopes + j, y + j, rows, stride);
  for (; j + kLanes <= columns; j += kLanes) PReluColumns<F, 1>(slopes + j, y + j, rows, stride);
  if (j == columns) return;
  const F by = F::LoadPartial(slopes + j, columns - j);
  for (size_t i = 0; i < rows; ++i) {
    float* const p = y + i * stride + j;
    BinaryOf<BinaryKind::kPRelu>(F::LoadPartial(p, columns - j), by).StorePartial(p, columns - j);
  }
}

}  // namespace micrort
