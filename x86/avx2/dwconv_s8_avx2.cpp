#include "kernels/dwconv/dwconv_s8_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {
namespace {

// The bytes of two taps alternate; as int16, one instruction multiplies them and adds each pair into an
// int32.
struct Ops {
  using Sums = S32x8;
  using Bytes = __m128i;
  using Weights = __m256i;
  static Bytes Load(const int8_t* p) { return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)); }
  static Weights Pair(Bytes w0, Bytes w1) { return _mm256_cvtepi8_epi16(_mm_unpacklo_epi8(w0, w1)); }
  static Sums MulAdd(Sums sums, Bytes x0, Bytes x1, Weights w) {
    return {_mm256_add_epi32(sums.v, _mm256_madd_epi16(Pair(x0, x1), w))};
  }
};

}  // namespace

void DwConvS8_avx2_4(const DwConvS8Tile& tile) { DwConvS8<Ops, 4>(tile); }

}  // namespace micrort
