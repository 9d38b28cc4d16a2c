#include "x86/avx2/dwconv_s8_words.h"

namespace micrort {
namespace {

struct Dot {
  static __m256i Add(__m256i sums, __m256i x, __m256i w) { return _mm256_dpwssd_avx_epi32(sums, x, w); }
};

}  // namespace

void DwConvS8_avxvnni_8(const DwConvS8Tile& tile) { DwConvS8<DwConvS8Words<Dot>>(tile); }

}  // namespace micrort
