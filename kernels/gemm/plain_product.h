#pragma once
// Matrix products in the types that no layer computes in: plain loops.

#include <cstdint>

#include "kernels/base/dtype.h"
#include "kernels/base/parallel.h"

namespace micrort {

// y[rows][columns] = a[rows][depth] * b[depth][columns], or b[columns][depth] if transpose_b.
struct PlainProduct {
  DType dtype;
  bool transpose_b;
  int64_t rows, depth, columns;
};

// float64 and integers of 32 or 64 bits, which wrap.
inline bool HasPlainProduct(DType dtype) { return SizeOf(dtype) >= 4 && dtype != DType::kFloat32; }

// y overlaps neither a nor b. Without depth it is 0.
void RunPlainProduct(const PlainProduct& product, const void* a, const void* b, void* y,
                     const Parallel& parallel);

}  // namespace micrort
