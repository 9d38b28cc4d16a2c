#pragma once
// F32x8 and S32x8 as one AVX2 register. See kernels/base/simd/vec8.h for the contract. Only for files in
// x86/avx2 and folders whose flags include AVX2, FMA and F16C.

#include <immintrin.h>

#include "kernels/base/simd/vec8.h"

namespace micrort {
namespace {

// All-ones in the first n lanes, 0 <= n <= 8.
inline __m256i FirstLanes(size_t n) {
  alignas(64) static const int32_t kOnesThenZeros[16] = {-1, -1, -1, -1, -1, -1, -1, -1,
                                                         0,  0,  0,  0,  0,  0,  0,  0};
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kOnesThenZeros + 8 - n));
}

struct S32x8 {
  using Shift = S32x8;
  __m256i v;

  static S32x8 Zero() { return {_mm256_setzero_si256()}; }
  static S32x8 Broadcast(int32_t x) { return {_mm256_set1_epi32(x)}; }
  static S32x8 Load(const int32_t* p) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))}; }
  static S32x8 Load(const int16_t* p) {
    return {_mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)))};
  }
  static S32x8 Load(const int8_t* p) { return {_mm256_cvtepi8_epi32(LoadBytes(p))}; }
  static S32x8 Load(const uint8_t* p) { return {_mm256_cvtepu8_epi32(LoadBytes(p))}; }
  static S32x8 LoadPartial(const int32_t* p, size_t n) { return {_mm256_maskload_epi32(p, FirstLanes(n))}; }
  // T: int16_t, int8_t or uint8_t.
  template <typename T>
  static S32x8 LoadPartial(const T* p, size_t n) {
    T elements[8] = {};
    __builtin_memcpy(elements, p, n * sizeof(T));
    return Load(elements);
  }
  void Store(int32_t* p) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
  void Store(int16_t* p) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), SaturateToInt16()); }
  void Store(int8_t* p) const {
    const __m128i words = SaturateToInt16();
    _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_packs_epi16(words, words));
  }
  void Store(uint8_t* p) const {
    const __m128i words = SaturateToInt16();
    _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_packus_epi16(words, words));
  }
  void StorePartial(int32_t* p, size_t n) const { _mm256_maskstore_epi32(p, FirstLanes(n), v); }
  template <typename T>
  void StorePartial(T* p, size_t n) const {
    T elements[8];
    Store(elements);
    __builtin_memcpy(p, elements, n * sizeof(T));
  }

 private:
  static __m128i LoadBytes(const void* p) { return _mm_loadl_epi64(static_cast<const __m128i*>(p)); }
  __m128i SaturateToInt16() const {
    return _mm_packs_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  }
};

struct F32x8 {
  using Int = S32x8;
  __m256 v;

  static F32x8 Zero() { return {_mm256_setzero_ps()}; }
  static F32x8 Broadcast(float x) { return {_mm256_set1_ps(x)}; }
  static F32x8 Load(const float* p) { return {_mm256_loadu_ps(p)}; }
  static F32x8 LoadPartial(const float* p, size_t n) { return {_mm256_maskload_ps(p, FirstLanes(n))}; }
  static F32x8 LoadHalf(const uint16_t* p) {
    return {_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)))};
  }
  void Store(float* p) const { _mm256_storeu_ps(p, v); }
  // In pieces, because some CPUs take dozens of cycles for a store with a mask.
  void StorePartial(float* p, size_t n) const {
    if (n == 8) return Store(p);
    __m128 left = _mm256_castps256_ps128(v);
    if (n & 4) {
      _mm_storeu_ps(p, left);
      left = _mm256_extractf128_ps(v, 1);
      p += 4;
    }
    if (n & 2) {
      _mm_storel_pi(reinterpret_cast<__m64*>(p), left);
      left = _mm_movehl_ps(left, left);
      p += 2;
    }
    if (n & 1) _mm_store_ss(p, left);
  }
  void StoreHalf(uint16_t* p) const {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
  }
};

inline S32x8 operator+(S32x8 a, S32x8 b) { return {_mm256_add_epi32(a.v, b.v)}; }
inline S32x8 operator-(S32x8 a, S32x8 b) { return {_mm256_sub_epi32(a.v, b.v)}; }
inline S32x8 operator*(S32x8 a, S32x8 b) { return {_mm256_mullo_epi32(a.v, b.v)}; }
inline S32x8 operator&(S32x8 a, S32x8 b) { return {_mm256_and_si256(a.v, b.v)}; }
inline S32x8 operator|(S32x8 a, S32x8 b) { return {_mm256_or_si256(a.v, b.v)}; }
inline S32x8 operator^(S32x8 a, S32x8 b) { return {_mm256_xor_si256(a.v, b.v)}; }
inline S32x8 operator~(S32x8 a) { return {_mm256_xor_si256(a.v, _mm256_set1_epi32(-1))}; }
inline S32x8 Min(S32x8 a, S32x8 b) { return {_mm256_min_epi32(a.v, b.v)}; }
inline S32x8 Max(S32x8 a, S32x8 b) { return {_mm256_max_epi32(a.v, b.v)}; }
inline S32x8 ShiftLeft(S32x8 a, int n) { return {_mm256_slli_epi32(a.v, n)}; }
inline S32x8 ShiftRight(S32x8 a, int n) { return {_mm256_srai_epi32(a.v, n)}; }
inline S32x8 ShiftLeft(S32x8 a, S32x8 n) { return {_mm256_sllv_epi32(a.v, n.v)}; }
inline S32x8 ShiftRight(S32x8 a, S32x8 n) { return {_mm256_srav_epi32(a.v, n.v)}; }
// Products of even and of odd lanes, of which bits 31 to 62 are wanted.
inline S32x8 DoublingHighMul(S32x8 a, S32x8 b) {
  const __m256i half = _mm256_set1_epi64x(int64_t{1} << 30);
  const __m256i even = _mm256_add_epi64(_mm256_mul_epi32(a.v, b.v), half);
  const __m256i odd =
      _mm256_add_epi64(_mm256_mul_epi32(_mm256_srli_epi64(a.v, 32), _mm256_srli_epi64(b.v, 32)), half);
  return {_mm256_blend_epi32(_mm256_srli_epi64(even, 31), _mm256_slli_epi64(odd, 1), 0xaa)};
}
inline S32x8 Less(S32x8 a, S32x8 b) { return {_mm256_cmpgt_epi32(b.v, a.v)}; }
inline S32x8 Equal(S32x8 a, S32x8 b) { return {_mm256_cmpeq_epi32(a.v, b.v)}; }
inline F32x8 ToFloat(S32x8 a) { return {_mm256_cvtepi32_ps(a.v)}; }
inline F32x8 AsFloat(S32x8 a) { return {_mm256_castsi256_ps(a.v)}; }
inline S32x8 Select(S32x8 mask, S32x8 a, S32x8 b) { return {_mm256_blendv_epi8(b.v, a.v, mask.v)}; }
inline bool AnyTrue(S32x8 mask) { return _mm256_movemask_epi8(mask.v) != 0; }

inline F32x8 operator+(F32x8 a, F32x8 b) { return {_mm256_add_ps(a.v, b.v)}; }
inline F32x8 operator-(F32x8 a, F32x8 b) { return {_mm256_sub_ps(a.v, b.v)}; }
inline F32x8 operator*(F32x8 a, F32x8 b) { return {_mm256_mul_ps(a.v, b.v)}; }
inline F32x8 operator/(F32x8 a, F32x8 b) { return {_mm256_div_ps(a.v, b.v)}; }
inline F32x8 operator-(F32x8 a) { return {_mm256_xor_ps(a.v, _mm256_set1_ps(-0.0f))}; }
inline F32x8 Min(F32x8 a, F32x8 b) { return {_mm256_min_ps(a.v, b.v)}; }
inline F32x8 Max(F32x8 a, F32x8 b) { return {_mm256_max_ps(a.v, b.v)}; }
inline F32x8 Fma(F32x8 a, F32x8 b, F32x8 c) { return {_mm256_fmadd_ps(a.v, b.v, c.v)}; }
inline F32x8 Sqrt(F32x8 a) { return {_mm256_sqrt_ps(a.v)}; }
inline F32x8 Abs(F32x8 a) { return {_mm256_andnot_ps(_mm256_set1_ps(-0.0f), a.v)}; }
inline F32x8 RoundEven(F32x8 a) {
  return {_mm256_round_ps(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}
inline F32x8 Floor(F32x8 a) { return {_mm256_round_ps(a.v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)}; }
inline F32x8 Ceil(F32x8 a) { return {_mm256_round_ps(a.v, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC)}; }
inline F32x8 Trunc(F32x8 a) { return {_mm256_round_ps(a.v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)}; }
inline S32x8 AsInt(F32x8 a) { return {_mm256_castps_si256(a.v)}; }
inline S32x8 Less(F32x8 a, F32x8 b) { return AsInt({_mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ)}); }
inline S32x8 LessEqual(F32x8 a, F32x8 b) { return AsInt({_mm256_cmp_ps(a.v, b.v, _CMP_LE_OQ)}); }
inline S32x8 Equal(F32x8 a, F32x8 b) { return AsInt({_mm256_cmp_ps(a.v, b.v, _CMP_EQ_OQ)}); }
inline S32x8 NotEqual(F32x8 a, F32x8 b) { return AsInt({_mm256_cmp_ps(a.v, b.v, _CMP_NEQ_UQ)}); }
inline F32x8 Select(S32x8 mask, F32x8 a, F32x8 b) { return {_mm256_blendv_ps(b.v, a.v, AsFloat(mask).v)}; }
// The instruction gives INT32_MIN for everything out of range.
inline S32x8 RoundToIntInRange(F32x8 a) { return {_mm256_cvtps_epi32(a.v)}; }
inline S32x8 RoundToInt(F32x8 a) {
  const S32x8 too_large = LessEqual(F32x8::Broadcast(0x1p31f), a);
  const S32x8 not_nan = Equal(a, a);
  return (RoundToIntInRange(a) ^ too_large) & not_nan;
}

// The upper half folded onto the lower one, and that folded again: lanes 0 and 1 hold the two subtrees.
inline float ReduceAdd(F32x8 a) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
// Halves of a and c, and of b and d, share a register.
inline void ReduceAdd(F32x8 a, F32x8 b, F32x8 c, F32x8 d, float* y) {
  const __m256 ac = _mm256_add_ps(_mm256_blend_ps(a.v, c.v, 0xf0), _mm256_permute2f128_ps(a.v, c.v, 0x21));
  const __m256 bd = _mm256_add_ps(_mm256_blend_ps(b.v, d.v, 0xf0), _mm256_permute2f128_ps(b.v, d.v, 0x21));
  const __m256d low = _mm256_unpacklo_pd(_mm256_castps_pd(ac), _mm256_castps_pd(bd));
  const __m256d high = _mm256_unpackhi_pd(_mm256_castps_pd(ac), _mm256_castps_pd(bd));
  const __m256 twos = _mm256_add_ps(_mm256_castpd_ps(low), _mm256_castpd_ps(high));
  const __m128 ab = _mm256_castps256_ps128(twos), cd = _mm256_extractf128_ps(twos, 1);
  _mm_storeu_ps(y, _mm_add_ps(_mm_shuffle_ps(ab, cd, 0x88), _mm_shuffle_ps(ab, cd, 0xdd)));
}
inline float ReduceMin(F32x8 a) {
  const __m128 four = _mm_min_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
  const __m128 two = _mm_min_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_min_ss(two, _mm_movehdup_ps(two)));
}
inline float ReduceMax(F32x8 a) {
  const __m128 four = _mm_max_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}

}  // namespace
}  // namespace micrort
