#include "kernels/base/kernel_registry.h"
#include "kernels/pool/pool.h"

namespace micrort {
namespace {

constexpr PoolKernel kAllKernels[] = {
#define MICRORT_POOL_F32 MICRORT_POOL_ROW
#include "kernels/pool/pool_f32.inc"
#undef MICRORT_POOL_F32
};
constexpr auto kKernels = MICRORT_NEEDED(PoolKernel, kAllKernels);

}  // namespace

Span<const PoolKernel> PoolF32Kernels() { return kKernels; }

}  // namespace micrort
