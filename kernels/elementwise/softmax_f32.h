#pragma once
// Softmax and LogSoftmax of floats along one axis.

#include <cstddef>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/parallel.h"
#include "kernels/base/span.h"

namespace micrort {

// `rows` rows of n >= 1 adjacent elements, each normalized: exp(x - max) / sum, or (x - max) - log(sum). Rows
// of at most kShortRow elements are summed in order, longer ones by eight lanes. y may be x.
using SoftmaxRowsF32Fn = void (*)(const float* x, float* y, size_t rows, size_t n, bool log);
// `columns` adjacent columns of n elements that lie `stride` elements apart, each normalized and summed in
// order.
using SoftmaxColumnsF32Fn = void (*)(const float* x, float* y, size_t columns, size_t n, size_t stride,
                                     bool log);

constexpr size_t kShortRow = 16;

struct SoftmaxF32Kernel {
  const char* name;      // "softmax_f32_avx2"
  CpuFeatures features;  // all required
  KernelId id;
  SoftmaxRowsF32Fn rows;
  SoftmaxColumnsF32Fn columns;
};

// Weakest first. All give the same bits.
Span<const SoftmaxF32Kernel> SoftmaxF32Kernels();
const SoftmaxF32Kernel& SelectSoftmaxF32(CpuFeatures features);

// A tensor [outer][n][inner], normalized along n.
struct SoftmaxShape {
  size_t outer, n, inner;
};
void SoftmaxF32(const SoftmaxF32Kernel& kernel, const SoftmaxShape& shape, bool log, const float* x, float* y,
                const Parallel& parallel);

#define MICRORT_SOFTMAX_F32(name, set)                                                   \
  void SoftmaxRowsF32_##name(const float* x, float* y, size_t rows, size_t n, bool log); \
  void SoftmaxColumnsF32_##name(const float* x, float* y, size_t columns, size_t n, size_t stride, bool log);
#include "kernels/elementwise/softmax_f32.inc"
#undef MICRORT_SOFTMAX_F32

}  // namespace micrort
