#include "kernels/elementwise/prelu_f32.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

#define MICRORT_PRELU_F32(name, set) \
  MICRORT_VARIANT(                   \
      set, {"prelu_f32_" #name, isa::set, KernelId::prelu_f32_##name, MICRORT_RUN(set, PReluF32_##name)})
constexpr PReluF32Kernel kAllPreluF32Kernels[] = {
#include "kernels/elementwise/prelu_f32.inc"
};
#undef MICRORT_PRELU_F32
constexpr auto kPreluF32Kernels = MICRORT_NEEDED(PReluF32Kernel, kAllPreluF32Kernels);

}  // namespace

Span<const PReluF32Kernel> PReluF32Kernels() { return kPreluF32Kernels; }

}  // namespace micrort
