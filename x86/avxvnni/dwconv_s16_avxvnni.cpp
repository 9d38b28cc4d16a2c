#include "x86/avx2/dwconv_s16_words.h"

namespace micrort {
namespace {

struct DotS16 {
  static __m256i Add(__m256i sums, __m256i x, __m256i w) { return _mm256_dpwssd_avx_epi32(sums, x, w); }
};

}  // namespace

void DwConvS16_avxvnni_8(const DwConvS16Tile& tile) { DwConvS8<DwConvS16Words<DotS16>>(tile); }

}  // namespace micrort
