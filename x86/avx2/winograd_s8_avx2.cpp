#include "kernels/gemm/gemm_s8_dot_impl.h"
#include "kernels/winograd/winograd_s8_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {
namespace {

struct Words {
  static constexpr size_t kLanes = 16;
  __m256i v;

  static Words Load(const int8_t* p) {
    return {_mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)))};
  }
  void Store(int16_t* p) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
};

inline Words operator+(Words a, Words b) { return {_mm256_add_epi16(a.v, b.v)}; }
inline Words operator-(Words a, Words b) { return {_mm256_sub_epi16(a.v, b.v)}; }

// Pairs of int16 on both sides.
struct Pairs {
  using Type = __m256i;
  using Right = int16_t;
  static constexpr int kLanes = 8, kDepth = 2;

  static Type Zero() { return _mm256_setzero_si256(); }
  static Type Load(const int16_t* p) { return _mm256_loadu_si256(reinterpret_cast<const Type*>(p)); }
  static Type Broadcast(int32_t pair) { return _mm256_set1_epi32(pair); }
  static Type DotAdd(Type acc, Type x, Type w) { return _mm256_add_epi32(acc, _mm256_madd_epi16(x, w)); }
  static void Store(int32_t* p, Type v) { _mm256_storeu_si256(reinterpret_cast<Type*>(p), v); }
};

}  // namespace

void WinogradS8Input_avx2_6x16(const WinogradS8Input& tile) { WinogradS8InputTile<Words>(tile); }

void WinogradS8Multiply_avx2_6x16(const WinogradS8Product& t) {
  GemmS8Dot<Pairs, 6>({t.m, t.depth, t.a, t.depth * sizeof(int16_t), t.b, t.products}, t.n);
}

void WinogradS8Output_avx2_6x16(const WinogradS8Output& row) { WinogradS8OutputRow<S32x8, 16>(row); }

}  // namespace micrort
