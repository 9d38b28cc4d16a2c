#include "kernels/reduce/fold_f32.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

#define MICRORT_FOLD_F32(name, set)                                             \
  MICRORT_VARIANT(set, {"fold_f32_" #name, isa::set, KernelId::fold_f32_##name, \
                        MICRORT_RUN(set, FoldRunF32_##name), MICRORT_RUN(set, FoldColumnsF32_##name)})
constexpr FoldF32Kernel kAllKernels[] = {
#include "kernels/reduce/fold_f32.inc"
};
#undef MICRORT_FOLD_F32
constexpr auto kKernels = MICRORT_NEEDED(FoldF32Kernel, kAllKernels);

}  // namespace

Span<const FoldF32Kernel> FoldF32Kernels() { return kKernels; }

const FoldF32Kernel& SelectFoldF32(CpuFeatures features) {
  return kKernels[SelectVariant(FoldF32Kernels(), features)];
}

}  // namespace micrort
