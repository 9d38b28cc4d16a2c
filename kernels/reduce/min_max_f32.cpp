#include "kernels/reduce/min_max_f32.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

#define MICRORT_MIN_MAX_F32(name, set)                                                \
  MICRORT_VARIANT(set, {"min_max_f32_" #name, isa::set, KernelId::min_max_f32_##name, \
                        MICRORT_RUN(set, MinMaxF32_##name)})
constexpr MinMaxF32Kernel kAllMinMaxF32Kernels[] = {
#include "kernels/reduce/min_max_f32.inc"
};
#undef MICRORT_MIN_MAX_F32
constexpr auto kMinMaxF32Kernels = MICRORT_NEEDED(MinMaxF32Kernel, kAllMinMaxF32Kernels);

}  // namespace

Span<const MinMaxF32Kernel> MinMaxF32Kernels() { return kMinMaxF32Kernels; }

const MinMaxF32Kernel& SelectMinMaxF32(CpuFeatures features) {
  return kMinMaxF32Kernels[SelectVariant(MinMaxF32Kernels(), features)];
}

}  // namespace micrort
