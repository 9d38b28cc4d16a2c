#pragma once
// F32x16 and S32x16: sixteen lanes in one AVX-512 register, for families whose results do not depend on the
// number of lanes. Those operations of kernels/base/simd/vec8.h that these families need, with the same
// meaning; never reductions, whose tree has eight lanes. Only for files in x86/avx512.
//
// Several intrinsics are the ones with masks, which compile to the plain instruction: GCC 12 takes the others
// for reads of uninitialized registers.

#include <immintrin.h>

#include "kernels/base/simd/vec8.h"

namespace micrort {
namespace {

constexpr __mmask16 kAllLanes = 0xffff;

// 0 <= n <= 16.
inline __mmask16 MaskOfFirst(size_t n) { return static_cast<__mmask16>((1u << n) - 1); }
inline __m512i VectorMask(__mmask16 lanes) { return _mm512_movm_epi32(lanes); }
inline __m512i SelectBits(__m512i mask, __m512i a, __m512i b) {
  return _mm512_ternarylogic_epi32(mask, a, b, 0xca);
}

struct S32x16 {
  __m512i v;

  static S32x16 Broadcast(int32_t x) { return {_mm512_set1_epi32(x)}; }
  static S32x16 Load(const int32_t* p) { return {_mm512_loadu_si512(p)}; }
  static S32x16 Load(const int8_t* p) { return {_mm512_maskz_cvtepi8_epi32(kAllLanes, LoadBytes(p))}; }
  static S32x16 Load(const uint8_t* p) { return {_mm512_maskz_cvtepu8_epi32(kAllLanes, LoadBytes(p))}; }
  void Store(int8_t* p) const {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_maskz_cvtsepi32_epi8(kAllLanes, v));
  }
  // Saturates numbers that are not negative.
  void Store(uint8_t* p) const {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_maskz_cvtusepi32_epi8(kAllLanes, v));
  }

 private:
  static __m128i LoadBytes(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }
};

struct F32x16 {
  using Int = S32x16;
  __m512 v;

  static F32x16 Zero() { return {_mm512_setzero_ps()}; }
  static F32x16 Broadcast(float x) { return {_mm512_set1_ps(x)}; }
  static F32x16 Load(const float* p) { return {_mm512_loadu_ps(p)}; }
  static F32x16 LoadPartial(const float* p, size_t n) { return {_mm512_maskz_loadu_ps(MaskOfFirst(n), p)}; }
  static F32x16 LoadHalf(const uint16_t* p) {
    return {_mm512_maskz_cvtph_ps(kAllLanes, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)))};
  }
  void Store(float* p) const { _mm512_storeu_ps(p, v); }
  void StoreHalf(uint16_t* p) const {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p),
                        _mm512_maskz_cvtps_ph(kAllLanes, v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
  void StorePartial(float* p, size_t n) const { _mm512_mask_storeu_ps(p, MaskOfFirst(n), v); }
};

inline S32x16 operator+(S32x16 a, S32x16 b) { return {_mm512_add_epi32(a.v, b.v)}; }
inline S32x16 operator-(S32x16 a, S32x16 b) { return {_mm512_sub_epi32(a.v, b.v)}; }
inline S32x16 operator&(S32x16 a, S32x16 b) { return {_mm512_and_si512(a.v, b.v)}; }
inline S32x16 operator|(S32x16 a, S32x16 b) { return {_mm512_or_si512(a.v, b.v)}; }
inline S32x16 operator^(S32x16 a, S32x16 b) { return {_mm512_xor_si512(a.v, b.v)}; }
inline S32x16 ShiftLeft(S32x16 a, int n) {
  return {_mm512_maskz_slli_epi32(kAllLanes, a.v, static_cast<unsigned>(n))};
}
inline S32x16 ShiftRight(S32x16 a, int n) {
  return {_mm512_maskz_srai_epi32(kAllLanes, a.v, static_cast<unsigned>(n))};
}
inline F32x16 ToFloat(S32x16 a) { return {_mm512_maskz_cvtepi32_ps(kAllLanes, a.v)}; }
inline F32x16 AsFloat(S32x16 a) { return {_mm512_castsi512_ps(a.v)}; }
inline S32x16 Select(S32x16 mask, S32x16 a, S32x16 b) { return {SelectBits(mask.v, a.v, b.v)}; }

inline F32x16 operator+(F32x16 a, F32x16 b) { return {_mm512_add_ps(a.v, b.v)}; }
inline F32x16 operator-(F32x16 a, F32x16 b) { return {_mm512_sub_ps(a.v, b.v)}; }
inline F32x16 operator*(F32x16 a, F32x16 b) { return {_mm512_mul_ps(a.v, b.v)}; }
inline F32x16 operator/(F32x16 a, F32x16 b) { return {_mm512_div_ps(a.v, b.v)}; }
inline S32x16 AsInt(F32x16 a) { return {_mm512_castps_si512(a.v)}; }
inline F32x16 operator-(F32x16 a) { return AsFloat(AsInt(a) ^ S32x16::Broadcast(INT32_MIN)); }
inline F32x16 Min(F32x16 a, F32x16 b) { return {_mm512_maskz_min_ps(kAllLanes, a.v, b.v)}; }
inline F32x16 Max(F32x16 a, F32x16 b) { return {_mm512_maskz_max_ps(kAllLanes, a.v, b.v)}; }
inline F32x16 Fma(F32x16 a, F32x16 b, F32x16 c) { return {_mm512_fmadd_ps(a.v, b.v, c.v)}; }
inline F32x16 Sqrt(F32x16 a) { return {_mm512_maskz_sqrt_ps(kAllLanes, a.v)}; }
inline F32x16 Abs(F32x16 a) { return AsFloat(AsInt(a) & S32x16::Broadcast(INT32_MAX)); }
template <int kDirection>
inline F32x16 Rounded(F32x16 a) {
  return {_mm512_maskz_roundscale_ps(kAllLanes, a.v, kDirection | _MM_FROUND_NO_EXC)};
}
inline F32x16 RoundEven(F32x16 a) { return Rounded<_MM_FROUND_TO_NEAREST_INT>(a); }
inline F32x16 Floor(F32x16 a) { return Rounded<_MM_FROUND_TO_NEG_INF>(a); }
inline F32x16 Ceil(F32x16 a) { return Rounded<_MM_FROUND_TO_POS_INF>(a); }

// A mask as comparisons give it, which is a vector where one is wanted.
struct Mask16 {
  __mmask16 lanes;
  operator S32x16() const { return {VectorMask(lanes)}; }
};
inline S32x16 operator&(Mask16 a, S32x16 b) { return {_mm512_maskz_mov_epi32(a.lanes, b.v)}; }
inline F32x16 Select(Mask16 mask, F32x16 a, F32x16 b) { return {_mm512_mask_blend_ps(mask.lanes, b.v, a.v)}; }
inline Mask16 Less(F32x16 a, F32x16 b) { return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_LT_OQ)}; }
inline Mask16 LessEqual(F32x16 a, F32x16 b) { return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_LE_OQ)}; }
inline Mask16 Equal(F32x16 a, F32x16 b) { return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_EQ_OQ)}; }
inline Mask16 NotEqual(F32x16 a, F32x16 b) { return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_NEQ_UQ)}; }
// Where a is NaN, it stays.
inline F32x16 MaxNan(F32x16 a, F32x16 b) { return {_mm512_mask_max_ps(a.v, Equal(a, a).lanes, a.v, b.v)}; }
inline F32x16 MinNan(F32x16 a, F32x16 b) { return {_mm512_mask_min_ps(a.v, Equal(a, a).lanes, a.v, b.v)}; }
inline F32x16 Select(S32x16 mask, F32x16 a, F32x16 b) { return AsFloat(Select(mask, AsInt(a), AsInt(b))); }
inline S32x16 RoundToIntInRange(F32x16 a) { return {_mm512_maskz_cvtps_epi32(kAllLanes, a.v)}; }

}  // namespace
}  // namespace micrort
