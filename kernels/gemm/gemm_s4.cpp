#include "kernels/gemm/gemm_s4.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr GemmS4Kernel kAllGemmS4Kernels[] = {
#define MICRORT_GEMM_S4(name, set, mr, nr, halves)                                             \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::gemm_s4_##name, mr, nr, Int4Halves::halves, \
                        MICRORT_RUN(set, GemmS4_##name)})
#include "kernels/gemm/gemm_s4.inc"
#undef MICRORT_GEMM_S4
};
constexpr auto kGemmS4Kernels = MICRORT_NEEDED(GemmS4Kernel, kAllGemmS4Kernels);

}  // namespace

Span<const GemmS4Kernel> GemmS4Kernels() { return kGemmS4Kernels; }

}  // namespace micrort
