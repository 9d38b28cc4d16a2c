#include "kernels/gemm/gemm_s8.h"

namespace micrort {
namespace {

constexpr GemmS8Kernel kKernels[] = {
#define MICRORT_GEMM_S8(name, features, mr, nr, kr, left) \
  {#name, features, mr, nr, kr, GemmS8Left::left, &GemmS8_##name},
#include "kernels/gemm/gemm_s8.inc"
#undef MICRORT_GEMM_S8
};

#define MICRORT_GEMM_S8(name, features, mr, nr, kr, left) static_assert(mr * nr <= kMaxGemmS8Tile, #name);
#include "kernels/gemm/gemm_s8.inc"
#undef MICRORT_GEMM_S8

}  // namespace

Span<const GemmS8Kernel> GemmS8Kernels() { return kKernels; }

}  // namespace micrort
