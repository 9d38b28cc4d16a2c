#include "kernels/base/kernel_registry.h"
#include "kernels/pool/pool.h"

namespace micrort {
namespace {

constexpr PoolKernel kAllPoolS16Kernels[] = {
#define MICRORT_POOL_S16 MICRORT_POOL_ROW
#include "kernels/pool/pool_s16.inc"
#undef MICRORT_POOL_S16
};
constexpr auto kPoolS16Kernels = MICRORT_NEEDED(PoolKernel, kAllPoolS16Kernels);

}  // namespace

Span<const PoolKernel> PoolS16Kernels() { return kPoolS16Kernels; }

}  // namespace micrort
