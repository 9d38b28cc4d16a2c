#include "kernels/base/kernel_registry.h"
#include "kernels/pool/pool.h"

namespace micrort {
namespace {

constexpr PoolKernel kAllPoolF32Kernels[] = {
#define MICRORT_POOL_F32 MICRORT_POOL_ROW
#include "kernels/pool/pool_f32.inc"
#undef MICRORT_POOL_F32
};
constexpr auto kPoolF32Kernels = MICRORT_NEEDED(PoolKernel, kAllPoolF32Kernels);

}  // namespace

Span<const PoolKernel> PoolF32Kernels() { return kPoolF32Kernels; }

}  // namespace micrort
