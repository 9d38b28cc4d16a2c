#include "kernels/fused/fused_f32.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr bool HasFma(CpuFeatures features) { return (features & kCpuAvx2) != 0; }

#define MICRORT_FUSED_F32(name, set, block)                                                                \
  MICRORT_VARIANT(set, {"fused_f32_" #name, isa::set, KernelId::fused_f32_##name, block, HasFma(isa::set), \
                        MICRORT_RUN(set, FusedHandler_##name), MICRORT_RUN(set, FusedF32_##name)})
constexpr FusedF32Kernel kFusedF32Kernels[] = {
#include "kernels/fused/fused_f32.inc"
};
#undef MICRORT_FUSED_F32

}  // namespace

Span<const FusedF32Kernel> FusedF32Kernels() { return kFusedF32Kernels; }

const FusedF32Kernel& SelectFusedF32(CpuFeatures features) {
  return kFusedF32Kernels[SelectVariant(FusedF32Kernels(), features)];
}

const FusedF32Kernel& SelectFusedF32(CpuFeatures features, size_t n) {
  const FusedF32Kernel* best = &SelectFusedF32(features);
  while (best->block > n && best - 1 > kFusedF32Kernels && (best[-1].features & ~features) == 0) --best;
  return *best;
}

}  // namespace micrort
