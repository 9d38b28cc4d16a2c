#include "kernels/resize/blend_f32.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {

namespace {

constexpr BlendF32Kernel kAllBlendF32Kernels[] = {
#define MICRORT_BLEND_F32(name, set)                                                                    \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::blend_f32_##name, MICRORT_RUN(set, BlendF32_##name), \
                        MICRORT_RUN(set, BlendS8ToF32_##name), MICRORT_RUN(set, BlendF32ToS8_##name),   \
                        MICRORT_RUN(set, BlendS8_##name)})
#include "kernels/resize/blend_f32.inc"
#undef MICRORT_BLEND_F32
};
constexpr auto kBlendF32Kernels = MICRORT_NEEDED(BlendF32Kernel, kAllBlendF32Kernels);

}  // namespace

Span<const BlendF32Kernel> BlendF32Kernels() { return kBlendF32Kernels; }

const BlendF32Kernel& SelectBlendF32(CpuFeatures features) {
  return kBlendF32Kernels[SelectVariant(BlendF32Kernels(), features)];
}

}  // namespace micrort
