#include <immintrin.h>

#include "kernels/gemm/gemm_s8.h"
#include "kernels/gemm/gemm_s8_dot_impl.h"

namespace micrort {

namespace {

// Pairs of int16: the instruction multiplies exactly and adds each pair into an int32.
struct Vec128 {
  using Type = __m128i;
  using Right = int8_t;
  static constexpr int kLanes = 4, kDepth = 2;

  static Type Zero() { return _mm_setzero_si128(); }
  static Type Load(const int8_t* p) {
    return _mm_cvtepi8_epi16(_mm_loadl_epi64(reinterpret_cast<const Type*>(p)));
  }
  static Type Broadcast(int32_t pair) { return _mm_set1_epi32(pair); }
  static Type DotAdd(Type acc, Type x, Type w) { return _mm_add_epi32(acc, _mm_madd_epi16(x, w)); }
  static void Store(int32_t* p, Type v) { _mm_storeu_si128(reinterpret_cast<Type*>(p), v); }
};

}  // namespace

void GemmS8_sse41_4x8(const GemmS8Block& t) {
  GemmS8Dot<Vec128, 4>({t.m, t.depth, t.a, t.a_stride, t.b, t.sums}, t.n);
}

}  // namespace micrort
