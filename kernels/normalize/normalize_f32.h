#pragma once
// The inner loops of normalizations of floats.

#include <cstddef>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

// With the mean of x (0 unless centered) and the mean of (x - mean)^2, the variance:
//   y = (x - mean) * (scale / sqrt(variance + epsilon)) + bias
// Scale and bias hold an element for each of x (step 1), or one for all (step 0).
struct NormalizeRowF32 {
  float epsilon;
  bool centered;
  const float* scale;
  const float* bias;
  size_t scale_step, bias_step;
};

// `rows` rows of n >= 1 adjacent elements, each normalized. Sums: element i into lane i mod 32, the last n
// mod 32 elements into lane i mod 8. y may be x.
using NormalizeRowsF32Fn = void (*)(const NormalizeRowF32& p, const float* x, float* y, size_t rows,
                                    size_t n);
// acc[columns] += (x - mean[columns])^2 over rows that lie `stride` elements apart, row after row.
using SquareColumnsF32Fn = void (*)(const float* mean, const float* x, size_t rows, size_t stride,
                                    size_t columns, float* acc);
// y = (x - mean[columns]) * factor[columns] + bias[columns] in each row. y may be x.
struct ColumnsAffineF32 {
  const float* mean;
  const float* factor;
  const float* bias;
};
using AffineColumnsF32Fn = void (*)(const ColumnsAffineF32& p, const float* x, float* y, size_t rows,
                                    size_t stride, size_t columns);

struct NormalizeF32Kernel {
  const char* name;      // "normalize_f32_avx2"
  CpuFeatures features;  // all required
  KernelId id;
  NormalizeRowsF32Fn rows;
  SquareColumnsF32Fn square_columns;
  AffineColumnsF32Fn affine_columns;
};

// Weakest first. All give the same bits.
Span<const NormalizeF32Kernel> NormalizeF32Kernels();
const NormalizeF32Kernel& SelectNormalizeF32(CpuFeatures features);

#define MICRORT_NORMALIZE_F32(name, set)                                                                   \
  void NormalizeRowsF32_##name(const NormalizeRowF32& p, const float* x, float* y, size_t rows, size_t n); \
  void SquareColumnsF32_##name(const float* mean, const float* x, size_t rows, size_t stride,              \
                               size_t columns, float* acc);                                                \
  void AffineColumnsF32_##name(const ColumnsAffineF32& p, const float* x, float* y, size_t rows,           \
                               size_t stride, size_t columns);
#include "kernels/normalize/normalize_f32.inc"
#undef MICRORT_NORMALIZE_F32

}  // namespace micrort
