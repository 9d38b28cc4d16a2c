#pragma once
// PRelu of rows of floats: each column has a slope of its own.

#include <cstddef>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

// In place: y[i * stride + j] = y[i * stride + j] < 0 ? y[i * stride + j] * slopes[j] : y[i * stride + j] for
// i < rows, j < columns.
using PReluF32Fn = void (*)(const float* slopes, float* y, size_t rows, size_t columns, size_t stride);

struct PReluF32Kernel {
  const char* name;      // "prelu_f32_avx2"
  CpuFeatures features;  // all required
  KernelId id;
  PReluF32Fn run;
};

// Weakest first. All give the same bits, which are those of kPRelu (kernels/elementwise/binary_f32.h).
Span<const PReluF32Kernel> PReluF32Kernels();

#define MICRORT_PRELU_F32(name, set) \
  void PReluF32_##name(const float* slopes, float* y, size_t rows, size_t columns, size_t stride);
#include "kernels/elementwise/prelu_f32.inc"
#undef MICRORT_PRELU_F32

}  // namespace micrort
