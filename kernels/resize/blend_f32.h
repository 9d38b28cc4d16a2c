#pragma once
// Weighted sums of blocks of floats: the inner loop of linear and cubic resizing.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/span.h"

namespace micrort {

// dst[o][i] = sum over t of weights[o][t] * src[indices[o][t]][i], summed in the order of t.
struct BlendF32 {
  size_t block;  // elements of src[.] and dst[.], contiguous
  size_t count;  // of o
  size_t taps;   // of t: > 0
  const float* src;
  const int32_t* indices;  // [count][taps]
  const float* weights;    // [count][taps]
  float* dst;
};

using BlendF32Fn = void (*)(const BlendF32& blend);

struct BlendF32Kernel {
  const char* name;
  CpuFeatures features;  // all required
  BlendF32Fn run;
};

// Weakest first. All give the same bits.
Span<const BlendF32Kernel> BlendF32Kernels();
// The strongest that `features` allow.
const BlendF32Kernel& SelectBlendF32(CpuFeatures features);

#define MICRORT_BLEND_F32(name, features) void BlendF32_##name(const BlendF32& blend);
#include "kernels/resize/blend_f32.inc"
#undef MICRORT_BLEND_F32

}  // namespace micrort
