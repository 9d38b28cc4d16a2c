#include "kernels/gemm/gemm_s16.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr GemmS16Kernel kAllGemmS16Kernels[] = {
#define MICRORT_GEMM_S16(name, set, mr, nr, kr, left, function)                                    \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::gemm_s16_##name, mr, nr, kr, GemmS16Left::left, \
                        MICRORT_RUN(set, function)})
#include "kernels/gemm/gemm_s16.inc"
#undef MICRORT_GEMM_S16
};
constexpr auto kGemmS16Kernels = MICRORT_NEEDED(GemmS16Kernel, kAllGemmS16Kernels);

#define MICRORT_GEMM_S16(name, set, mr, nr, ...) static_assert(mr * nr <= kMaxGemmS8Tile, #name);
#include "kernels/gemm/gemm_s16.inc"
#undef MICRORT_GEMM_S16

}  // namespace

Span<const GemmS16Kernel> GemmS16Kernels() { return kGemmS16Kernels; }

}  // namespace micrort
