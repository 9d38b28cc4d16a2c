#include "kernels/base/kernel_registry.h"
#include "kernels/pool/pool.h"

namespace micrort {
namespace {

constexpr PoolKernel kAllPoolS8Kernels[] = {
#define MICRORT_POOL_S8 MICRORT_POOL_ROW
#include "kernels/pool/pool_s8.inc"
#undef MICRORT_POOL_S8
};
constexpr auto kPoolS8Kernels = MICRORT_NEEDED(PoolKernel, kAllPoolS8Kernels);

}  // namespace

Span<const PoolKernel> PoolS8Kernels() { return kPoolS8Kernels; }

}  // namespace micrort
