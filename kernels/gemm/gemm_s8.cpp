#include "kernels/gemm/gemm_s8.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr GemmS8Kernel kAllGemmS8Kernels[] = {
#define MICRORT_GEMM_S8(name, set, mr, nr, kr, left, result)                                     \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::gemm_s8_##name, mr, nr, kr, GemmS8Left::left, \
                        GemmS8Result::result, MICRORT_RUN(set, GemmS8_##name)})
#include "kernels/gemm/gemm_s8.inc"
#undef MICRORT_GEMM_S8
};
constexpr auto kGemmS8Kernels = MICRORT_NEEDED(GemmS8Kernel, kAllGemmS8Kernels);

#define MICRORT_GEMM_S8(name, set, mr, nr, ...) static_assert(mr * nr <= kMaxGemmS8Tile, #name);
#include "kernels/gemm/gemm_s8.inc"
#undef MICRORT_GEMM_S8

}  // namespace

Span<const GemmS8Kernel> GemmS8Kernels() { return kGemmS8Kernels; }

}  // namespace micrort
