#include "kernels/base/kernel_registry.h"
#include "kernels/pool/pool.h"

namespace micrort {
namespace {

constexpr PoolKernel kAllPoolF16Kernels[] = {
#define MICRORT_POOL_F16 MICRORT_POOL_ROW
#include "kernels/pool/pool_f16.inc"
#undef MICRORT_POOL_F16
};
constexpr auto kPoolF16Kernels = MICRORT_NEEDED(PoolKernel, kAllPoolF16Kernels);

}  // namespace

Span<const PoolKernel> PoolF16Kernels() { return kPoolF16Kernels; }

}  // namespace micrort
