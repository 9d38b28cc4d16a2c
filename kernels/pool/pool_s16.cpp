#include "kernels/base/kernel_registry.h"
#include "kernels/pool/pool.h"

namespace micrort {
namespace {

constexpr PoolKernel kAllKernels[] = {
#define MICRORT_POOL_S16 MICRORT_POOL_ROW
#include "kernels/pool/pool_s16.inc"
#undef MICRORT_POOL_S16
};
constexpr auto kKernels = MICRORT_NEEDED(PoolKernel, kAllKernels);

}  // namespace

Span<const PoolKernel> PoolS16Kernels() { return kKernels; }

}  // namespace micrort
