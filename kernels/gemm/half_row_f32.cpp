#include "kernels/gemm/half_row_f32.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

// The first one is of no variant, so that builds without any have a list.
constexpr HalfRowF32Kernel kAllHalfRowF32Kernels[] = {
    {"", 0, KernelId::none, nullptr},
#define MICRORT_HALF_ROW_F32(name, set) \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::gemm_f32_##name, MICRORT_RUN(set, HalfRowF32_##name)})
#include "kernels/gemm/half_row_f32.inc"
#undef MICRORT_HALF_ROW_F32
};

}  // namespace

Span<const HalfRowF32Kernel> HalfRowF32Kernels() {
  return {kAllHalfRowF32Kernels + 1, sizeof(kAllHalfRowF32Kernels) / sizeof(kAllHalfRowF32Kernels[0]) - 1};
}

HalfRowF32Fn HalfRowF32Of(const GemmF32Kernel& gemm) {
  for (const HalfRowF32Kernel& kernel : HalfRowF32Kernels()) {
    if (kernel.gemm == gemm.id) return kernel.run;
  }
  return nullptr;
}

}  // namespace micrort
