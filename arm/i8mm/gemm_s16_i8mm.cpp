#include "kernels/gemm/gemm_s16_bytes.h"

namespace micrort {

void GemmS16_i8mm_8x12(const GemmS8Block& t) { GemmS16OfBytes<GemmS8_i8mm_8x12, 8, 12>(t); }

}  // namespace micrort
