#include "kernels/normalize/normalize_f32.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

#define MICRORT_NORMALIZE_F32(name, set)                                                                 \
  MICRORT_VARIANT(set,                                                                                   \
                  {"normalize_f32_" #name, isa::set, KernelId::normalize_f32_##name,                     \
                   MICRORT_RUN(set, NormalizeRowsF32_##name), MICRORT_RUN(set, SquareColumnsF32_##name), \
                   MICRORT_RUN(set, AffineColumnsF32_##name)})
constexpr NormalizeF32Kernel kAllNormalizeF32Kernels[] = {
#include "kernels/normalize/normalize_f32.inc"
};
#undef MICRORT_NORMALIZE_F32
constexpr auto kNormalizeF32Kernels = MICRORT_NEEDED(NormalizeF32Kernel, kAllNormalizeF32Kernels);

}  // namespace

Span<const NormalizeF32Kernel> NormalizeF32Kernels() { return kNormalizeF32Kernels; }

const NormalizeF32Kernel& SelectNormalizeF32(CpuFeatures features) {
  return kNormalizeF32Kernels[SelectVariant(NormalizeF32Kernels(), features)];
}

}  // namespace micrort
