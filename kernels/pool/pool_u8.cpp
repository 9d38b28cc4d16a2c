#include "kernels/base/kernel_registry.h"
#include "kernels/pool/pool.h"

namespace micrort {
namespace {

constexpr PoolKernel kAllPoolU8Kernels[] = {
#define MICRORT_POOL_U8 MICRORT_POOL_ROW
#include "kernels/pool/pool_u8.inc"
#undef MICRORT_POOL_U8
};
constexpr auto kPoolU8Kernels = MICRORT_NEEDED(PoolKernel, kAllPoolU8Kernels);

}  // namespace

Span<const PoolKernel> PoolU8Kernels() { return kPoolU8Kernels; }

}  // namespace micrort
