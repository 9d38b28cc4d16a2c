#include "kernels/grouped_conv/grouped_f32_impl.h"
#include "x86/avx512/vec16_avx512.h"

namespace micrort {
namespace {

struct SpreadAvx512 {
  template <int G, int k>
  static F32x16 Of(const float* x) {
    const __m512 inputs = _mm512_loadu_ps(x);
    if constexpr (G == 4) return {_mm512_maskz_permute_ps(kAllLanes, inputs, k * 0x55)};
    const __m512i first = _mm512_set1_epi32(k), second = _mm512_set1_epi32(8 + k);
    const __m512i lanes = _mm512_mask_blend_epi32(0xff00, first, second);
    return {_mm512_maskz_permutexvar_ps(kAllLanes, lanes, inputs)};
  }
};

}  // namespace

void GroupedF32_avx512_8x16(const GemmF32Tile& tile) { GroupedF32<F32x16, SpreadAvx512, 8>(tile); }

}  // namespace micrort
