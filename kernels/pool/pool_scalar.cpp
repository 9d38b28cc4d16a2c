#include "kernels/base/simd/vec8_scalar.h"
#include "kernels/pool/pool.h"
#include "kernels/pool/pool_impl.h"

namespace micrort {
namespace {

// Halves become floats one by one, beside which loops cost little.
template <typename Policy>
void PoolHalves(const PoolWindows& windows) {
  Pool<Policy, Policy, 1>(windows);
}

// Plain loops over integers, as wide as those of the others.
template <bool average>
void PoolWideIntegers(const PoolWindows& windows) {
  Pool<S16Policy<average>, S16Policy<average>, 1>(windows);
}

}  // namespace

void PoolMaxF32_scalar(const PoolWindows& windows) { Pool<MaxF32Policy<F32x8>>(windows); }
void PoolMaxS8_scalar(const PoolWindows& windows) { Pool<MaxS8Policy<F32x8>>(windows); }
void PoolMaxU8_scalar(const PoolWindows& windows) { Pool<MaxU8Policy<F32x8>>(windows); }
void PoolAverageF32_scalar(const PoolWindows& windows) { Pool<AverageF32Policy<F32x8>>(windows); }
void PoolAverageS8_scalar(const PoolWindows& windows) { Pool<AverageS8Policy<F32x8>>(windows); }
void PoolMaxF16_scalar(const PoolWindows& windows) { PoolHalves<MaxF16Policy<F32x8>>(windows); }
void PoolAverageF16_scalar(const PoolWindows& windows) { PoolHalves<AverageF16Policy<F32x8>>(windows); }
void PoolMaxS16_scalar(const PoolWindows& windows) { PoolWideIntegers<false>(windows); }
void PoolAverageS16_scalar(const PoolWindows& windows) { PoolWideIntegers<true>(windows); }

}  // namespace micrort
