#include "kernels/base/kernel_registry.h"
#include "kernels/pool/pool.h"

namespace micrort {
namespace {

constexpr PoolKernel kAllKernels[] = {
#define MICRORT_POOL_F16 MICRORT_POOL_ROW
#include "kernels/pool/pool_f16.inc"
#undef MICRORT_POOL_F16
};
constexpr auto kKernels = MICRORT_NEEDED(PoolKernel, kAllKernels);

}  // namespace

Span<const PoolKernel> PoolF16Kernels() { return kKernels; }

}  // namespace micrort
