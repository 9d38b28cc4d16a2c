#pragma once
// The inner loops of reductions of floats.

#include <cstddef>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"
#include "kernels/reduce/reduce_kind.h"

namespace micrort {

// Folds n adjacent elements into eight lanes, element i into lane i mod 8. `shift` is used by kSumExp.
using FoldRunF32Fn = void (*)(FoldKind kind, float shift, const float* x, size_t n, float* lanes);
// Folds `rows` rows, `stride` elements apart, into acc[columns], row after row. `shift`, [columns], is used
// by kSumExp.
using FoldColumnsF32Fn = void (*)(FoldKind kind, const float* shift, const float* x, size_t rows,
                                  size_t stride, size_t columns, float* acc);

struct FoldF32Kernel {
  const char* name;      // "fold_f32_avx2"
  CpuFeatures features;  // all required
  KernelId id;
  FoldRunF32Fn run;
  FoldColumnsF32Fn columns;
};

// Weakest first. All give the same bits.
Span<const FoldF32Kernel> FoldF32Kernels();
const FoldF32Kernel& SelectFoldF32(CpuFeatures features);

#define MICRORT_FOLD_F32(name, set)                                                                         \
  void FoldRunF32_##name(FoldKind kind, float shift, const float* x, size_t n, float* lanes);               \
  void FoldColumnsF32_##name(FoldKind kind, const float* shift, const float* x, size_t rows, size_t stride, \
                             size_t columns, float* acc);
#include "kernels/reduce/fold_f32.inc"
#undef MICRORT_FOLD_F32

}  // namespace micrort
