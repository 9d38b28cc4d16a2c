#include <immintrin.h>

#include "kernels/gemm/gemm_s16.h"
#include "kernels/gemm/gemm_s8_dot_impl.h"

namespace micrort {

namespace {

struct WordVec512 {
  using Type = __m512i;
  using Right = int8_t;
  static constexpr int kLanes = 16, kDepth = 2;

  static Type Zero() { return _mm512_setzero_si512(); }
  static Type Load(const int8_t* p) {
    return _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  }
  static Type Broadcast(int32_t pair) { return _mm512_set1_epi32(pair); }
  static Type DotAdd(Type acc, Type x, Type w) { return _mm512_dpwssd_epi32(acc, x, w); }
  static void Store(int32_t* p, Type v) { _mm512_storeu_si512(reinterpret_cast<Type*>(p), v); }
};

}  // namespace

void GemmS16_avx512vnni_8x32(const GemmS8Block& t) {
  GemmS8Dot<WordVec512, 8>({t.m, t.depth, t.a, t.a_stride, t.b, t.sums}, t.n);
}

}  // namespace micrort
