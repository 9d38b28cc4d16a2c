#include "x86/avx2/dwconv_s16_words.h"

namespace micrort {
namespace {

struct DotS16 {
  static __m256i Add(__m256i sums, __m256i x, __m256i w) {
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(x, w));
    // Else GCC regroups the additions and keeps all products in memory until the end.
    __asm__("" : "+x"(sums));
    return sums;
  }
};

}  // namespace

void DwConvS16_avx2_8(const DwConvS16Tile& tile) { DwConvS8<DwConvS16Words<DotS16>>(tile); }

}  // namespace micrort
