#include "kernels/attention/attend_few_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

MICRORT_DEFINE_ATTEND_FEW(simd128, 1, EightLanes<F32x8, 4>)

}  // namespace micrort
