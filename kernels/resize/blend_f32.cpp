#include "kernels/resize/blend_f32.h"

#include "kernels/base/rows.h"

namespace micrort {

namespace {

constexpr BlendF32Kernel kKernels[] = {
#define MICRORT_BLEND_F32(name, features) \
  {#name, features, BlendF32_##name, BlendS8ToF32_##name, BlendF32ToS8_##name, BlendS8_##name},
#include "kernels/resize/blend_f32.inc"
#undef MICRORT_BLEND_F32
};

}  // namespace

Span<const BlendF32Kernel> BlendF32Kernels() { return kKernels; }

const BlendF32Kernel& SelectBlendF32(CpuFeatures features) {
  return kKernels[SelectRow(BlendF32Kernels(), features)];
}

}  // namespace micrort
