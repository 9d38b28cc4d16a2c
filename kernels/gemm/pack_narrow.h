#pragma once
// Packing of narrow weights: into the panels of kernels/gemm/packed_b.h, and into panels of floats. Parts
// (kernels/base/part.h) of programs whose float layers have such weights, apart for int4.

#include "kernels/gemm/pack_b.h"

namespace micrort {

// The panel of `b` whose first column is `first`, of which `exist` of nr exist.
struct PanelOfB {
  const MatrixB& b;
  size_t depth;
  int64_t first;
  size_t exist, nr;
};

// float16 or int8.
void PackNarrowPanel(const PanelOfB& panel, void* out);
// Two elements of a column are one byte in the matrix as in the panel.
void PackInt4Panel(const PanelOfB& panel, bool half_scales, void* out);

// As PackBF32, from float16 or int8, and from int4.
void PackNarrowBF32(const MatrixB& b, size_t depth, size_t columns, size_t nr, float* out);
void PackInt4BF32(const MatrixB& b, size_t depth, size_t columns, size_t nr, float* out);

}  // namespace micrort
