#include "kernels/base/kernel_registry.h"
#include "kernels/pool/pool.h"

namespace micrort {
namespace {

constexpr PoolKernel kAllKernels[] = {
#define MICRORT_POOL_S8 MICRORT_POOL_ROW
#include "kernels/pool/pool_s8.inc"
#undef MICRORT_POOL_S8
};
constexpr auto kKernels = MICRORT_NEEDED(PoolKernel, kAllKernels);

}  // namespace

Span<const PoolKernel> PoolS8Kernels() { return kKernels; }

}  // namespace micrort
