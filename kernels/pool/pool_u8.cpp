#include "kernels/base/kernel_registry.h"
#include "kernels/pool/pool.h"

namespace micrort {
namespace {

constexpr PoolKernel kAllKernels[] = {
#define MICRORT_POOL_U8 MICRORT_POOL_ROW
#include "kernels/pool/pool_u8.inc"
#undef MICRORT_POOL_U8
};
constexpr auto kKernels = MICRORT_NEEDED(PoolKernel, kAllKernels);

}  // namespace

Span<const PoolKernel> PoolU8Kernels() { return kKernels; }

}  // namespace micrort
