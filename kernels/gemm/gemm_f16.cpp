#include "kernels/gemm/gemm_f16.h"

#include "kernels/base/kernel_registry.h"

#if MICRORT_KERNELS_fp16

namespace micrort {
namespace {

constexpr GemmF16Kernel kAllGemmF16Kernels[] = {
#define MICRORT_GEMM_F16(name, set, mr, nr, lanes) \
  MICRORT_VARIANT(                                 \
      set, {#name, isa::set, KernelId::gemm_f16_##name, mr, nr, lanes, MICRORT_RUN(set, GemmF16_##name)})
#include "kernels/gemm/gemm_f16.inc"
#undef MICRORT_GEMM_F16
};
constexpr auto kGemmF16Kernels = MICRORT_NEEDED(GemmF16Kernel, kAllGemmF16Kernels);

}  // namespace

Span<const GemmF16Kernel> GemmF16Kernels() { return kGemmF16Kernels; }

}  // namespace micrort

#endif
