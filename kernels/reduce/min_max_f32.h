#pragma once
// The range of an array of floats, as dynamic quantization needs it.

#include <cstddef>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

struct MinMax {
  float min, max;
};

// NaNs are passed over. Without any number: {+infinity, -infinity}.
using MinMaxF32Fn = MinMax (*)(const float* x, size_t n);

struct MinMaxF32Kernel {
  const char* name;      // "min_max_f32_avx2"
  CpuFeatures features;  // all required
  KernelId id;
  MinMaxF32Fn run;
};

// Weakest first. All give the same result.
Span<const MinMaxF32Kernel> MinMaxF32Kernels();
const MinMaxF32Kernel& SelectMinMaxF32(CpuFeatures features);

#define MICRORT_MIN_MAX_F32(name, set) MinMax MinMaxF32_##name(const float* x, size_t n);
#include "kernels/reduce/min_max_f32.inc"
#undef MICRORT_MIN_MAX_F32

}  // namespace micrort
