#include "kernels/base/simd/vec8_scalar.h"
#include "kernels/gemm/gemm_f32_impl.h"

namespace micrort {

void GemmF32_scalar_4x8(const GemmF32Tile& tile) { GemmF32<F32x8, 4, 1, false, 1>(tile); }

}  // namespace micrort
