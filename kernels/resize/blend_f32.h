#pragma once
// Weighted sums of blocks: the inner loop of linear and cubic resizing.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

// dst[o][i] = sum over t of weights[o][t] * src[indices[o][t]][i], in float, summed in the order of t, and
// rounded half to even where dst is int8.
template <typename From, typename To>
struct BlendOf {
  size_t block;  // elements of src[.] and dst[.], contiguous
  size_t count;  // of o
  size_t taps;   // of t: > 0
  const From* src;
  const int32_t* indices;  // [count][taps]
  const float* weights;    // [count][taps]
  To* dst;
};
using BlendF32 = BlendOf<float, float>;
// For int8 there are two taps, whose weights are at least 0 and add up to 1.
using BlendS8ToF32 = BlendOf<int8_t, float>;
using BlendF32ToS8 = BlendOf<float, int8_t>;
using BlendS8 = BlendOf<int8_t, int8_t>;

struct BlendF32Kernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  void (*run)(const BlendF32& blend);
  void (*from_s8)(const BlendS8ToF32& blend);
  void (*to_s8)(const BlendF32ToS8& blend);
  void (*s8)(const BlendS8& blend);
};

// Weakest first. All give the same bits.
Span<const BlendF32Kernel> BlendF32Kernels();
// The strongest that `features` allow.
const BlendF32Kernel& SelectBlendF32(CpuFeatures features);

#define MICRORT_BLEND_F32(name, set)                   \
  void BlendF32_##name(const BlendF32& blend);         \
  void BlendS8ToF32_##name(const BlendS8ToF32& blend); \
  void BlendF32ToS8_##name(const BlendF32ToS8& blend); \
  void BlendS8_##name(const BlendS8& blend);
#include "kernels/resize/blend_f32.inc"
#undef MICRORT_BLEND_F32

}  // namespace micrort
