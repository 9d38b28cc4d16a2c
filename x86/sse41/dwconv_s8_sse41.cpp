#include "kernels/dwconv/dwconv_s8_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {
namespace {

// The bytes of two taps alternate; as int16, one instruction multiplies them and adds each pair into an
// int32.
struct Ops {
  using Sums = S32x8;
  using Bytes = __m128i;
  struct Weights {
    __m128i low, high;
  };
  static Bytes Load(const int8_t* p) { return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)); }
  static Weights Pair(Bytes w0, Bytes w1) {
    const __m128i bytes = _mm_unpacklo_epi8(w0, w1);
    return {_mm_cvtepi8_epi16(bytes), _mm_cvtepi8_epi16(_mm_srli_si128(bytes, 8))};
  }
  static Sums MulAdd(Sums sums, Bytes x0, Bytes x1, Weights w) {
    const Weights x = Pair(x0, x1);
    return sums + Sums{_mm_madd_epi16(x.low, w.low), _mm_madd_epi16(x.high, w.high)};
  }
};

}  // namespace

void DwConvS8_sse41_4(const DwConvS8Tile& tile) { DwConvS8<Ops, 4>(tile); }

}  // namespace micrort
