#include "kernels/gemm/gemm_f32_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {

void GemmF32_sse41_6x8(const GemmF32Tile& tile) { GemmF32<F32x8, 6, 1>(tile); }

}  // namespace micrort
