#include "kernels/gemm/gemm_s8_dot_impl.h"
#include "kernels/winograd/winograd_s8_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {
namespace {

struct Words {
  static constexpr size_t kLanes = 8;
  __m128i v;

  static Words Load(const int8_t* p) {
    return {_mm_cvtepi8_epi16(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)))};
  }
  void Store(int16_t* p) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), v); }
};

inline Words operator+(Words a, Words b) { return {_mm_add_epi16(a.v, b.v)}; }
inline Words operator-(Words a, Words b) { return {_mm_sub_epi16(a.v, b.v)}; }

// Pairs of int16 on both sides.
struct Pairs {
  using Type = __m128i;
  using Right = int16_t;
  static constexpr int kLanes = 4, kDepth = 2;

  static Type Zero() { return _mm_setzero_si128(); }
  static Type Load(const int16_t* p) { return _mm_loadu_si128(reinterpret_cast<const Type*>(p)); }
  static Type Broadcast(int32_t pair) { return _mm_set1_epi32(pair); }
  static Type DotAdd(Type acc, Type x, Type w) { return _mm_add_epi32(acc, _mm_madd_epi16(x, w)); }
  static void Store(int32_t* p, Type v) { _mm_storeu_si128(reinterpret_cast<Type*>(p), v); }
};

}  // namespace

void WinogradS8Input_sse41_4x8(const WinogradS8Input& tile) { WinogradS8InputTile<Words>(tile); }

void WinogradS8Multiply_sse41_4x8(const WinogradS8Product& t) {
  GemmS8Dot<Pairs, 4>({t.m, t.depth, t.a, t.depth * sizeof(int16_t), t.b, t.products}, t.n);
}

void WinogradS8Output_sse41_4x8(const WinogradS8Output& row) { WinogradS8OutputRow<S32x8, 8>(row); }

}  // namespace micrort
