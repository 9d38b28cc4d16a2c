#include "kernels/reduce/fold_f32.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

#define MICRORT_FOLD_F32(name, set)                                             \
  MICRORT_VARIANT(set, {"fold_f32_" #name, isa::set, KernelId::fold_f32_##name, \
                        MICRORT_RUN(set, FoldRunF32_##name), MICRORT_RUN(set, FoldColumnsF32_##name)})
constexpr FoldF32Kernel kAllFoldF32Kernels[] = {
#include "kernels/reduce/fold_f32.inc"
};
#undef MICRORT_FOLD_F32
constexpr auto kFoldF32Kernels = MICRORT_NEEDED(FoldF32Kernel, kAllFoldF32Kernels);

}  // namespace

Span<const FoldF32Kernel> FoldF32Kernels() { return kFoldF32Kernels; }

const FoldF32Kernel& SelectFoldF32(CpuFeatures features) {
  return kFoldF32Kernels[SelectVariant(FoldF32Kernels(), features)];
}

}  // namespace micrort
