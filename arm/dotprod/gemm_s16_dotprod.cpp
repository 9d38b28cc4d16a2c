#include "kernels/gemm/gemm_s16_bytes.h"

namespace micrort {

void GemmS16_dotprod_6x16(const GemmS8Block& t) { GemmS16OfBytes<GemmS8_dotprod_6x16, 6, 16>(t); }

}  // namespace micrort
