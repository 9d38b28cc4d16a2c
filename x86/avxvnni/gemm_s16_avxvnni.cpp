#include <immintrin.h>

#include "kernels/gemm/gemm_s16.h"
#include "kernels/gemm/gemm_s8_dot_impl.h"

namespace micrort {

namespace {

struct WordVec256 {
  using Type = __m256i;
  using Right = int8_t;
  static constexpr int kLanes = 8, kDepth = 2;

  static Type Zero() { return _mm256_setzero_si256(); }
  static Type Load(const int8_t* p) {
    return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  }
  static Type Broadcast(int32_t pair) { return _mm256_set1_epi32(pair); }
  static Type DotAdd(Type acc, Type x, Type w) { return _mm256_dpwssd_avx_epi32(acc, x, w); }
  static void Store(int32_t* p, Type v) { _mm256_storeu_si256(reinterpret_cast<Type*>(p), v); }
};

}  // namespace

void GemmS16_avxvnni_6x16(const GemmS8Block& t) {
  GemmS8Dot<WordVec256, 6>({t.m, t.depth, t.a, t.a_stride, t.b, t.sums}, t.n);
}

}  // namespace micrort
