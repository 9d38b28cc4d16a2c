#pragma once
// F32x8 and S32x8 as two SSE registers: `low` holds lanes 0-3, `high` lanes 4-7. See
// kernels/base/simd/vec8.h for the contract.

#include <immintrin.h>

#include "kernels/base/simd/vec8.h"

namespace micrort {
namespace {

// The first n of four elements of four bytes, the others zero.
inline __m128i LoadFirst(const void* p, size_t n) {
  const auto* elements = static_cast<const int32_t*>(p);
  if (n >= 4) return _mm_loadu_si128(static_cast<const __m128i*>(p));
  if (n == 0) return _mm_setzero_si128();
  const __m128i last = _mm_loadu_si32(elements + n - 1);
  if (n == 1) return last;
  const __m128i two = _mm_loadl_epi64(static_cast<const __m128i*>(p));
  return n == 2 ? two : _mm_unpacklo_epi64(two, last);
}
inline void StoreFirst(void* p, size_t n, __m128i v) {
  auto* elements = static_cast<int32_t*>(p);
  if (n >= 4) return _mm_storeu_si128(static_cast<__m128i*>(p), v);
  if (n >= 2) _mm_storel_epi64(static_cast<__m128i*>(p), v);
  if (n == 1) _mm_storeu_si32(elements, v);
  if (n == 3) _mm_storeu_si32(elements + 2, _mm_unpackhi_epi64(v, v));
}

struct S32x8 {
  using Shift = int;
  __m128i low, high;

  static S32x8 Zero() { return {_mm_setzero_si128(), _mm_setzero_si128()}; }
  static S32x8 Broadcast(int32_t x) { return {_mm_set1_epi32(x), _mm_set1_epi32(x)}; }
  static S32x8 Load(const int32_t* p) {
    const auto* halves = reinterpret_cast<const __m128i*>(p);
    return {_mm_loadu_si128(halves), _mm_loadu_si128(halves + 1)};
  }
  static S32x8 Load(const int16_t* p) {
    const __m128i words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    return {_mm_cvtepi16_epi32(words), _mm_cvtepi16_epi32(_mm_srli_si128(words, 8))};
  }
  static S32x8 Load(const int8_t* p) {
    const __m128i bytes = LoadBytes(p);
    return {_mm_cvtepi8_epi32(bytes), _mm_cvtepi8_epi32(_mm_srli_si128(bytes, 4))};
  }
  static S32x8 Load(const uint8_t* p) {
    const __m128i bytes = LoadBytes(p);
    return {_mm_cvtepu8_epi32(bytes), _mm_cvtepu8_epi32(_mm_srli_si128(bytes, 4))};
  }
  static S32x8 LoadPartial(const int32_t* p, size_t n) {
    return {LoadFirst(p, n), n > 4 ? LoadFirst(p + 4, n - 4) : _mm_setzero_si128()};
  }
  // T: int16_t, int8_t or uint8_t.
  template <typename T>
  static S32x8 LoadPartial(const T* p, size_t n) {
    T elements[8] = {};
    __builtin_memcpy(elements, p, n * sizeof(T));
    return Load(elements);
  }
  void Store(int32_t* p) const {
    auto* halves = reinterpret_cast<__m128i*>(p);
    _mm_storeu_si128(halves, low);
    _mm_storeu_si128(halves + 1, high);
  }
  void Store(int16_t* p) const {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm_packs_epi32(low, high));
  }
  void Store(int8_t* p) const {
    const __m128i words = _mm_packs_epi32(low, high);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_packs_epi16(words, words));
  }
  void Store(uint8_t* p) const {
    const __m128i words = _mm_packs_epi32(low, high);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_packus_epi16(words, words));
  }
  void StorePartial(int32_t* p, size_t n) const {
    StoreFirst(p, n, low);
    if (n > 4) StoreFirst(p + 4, n - 4, high);
  }
  template <typename T>
  void StorePartial(T* p, size_t n) const {
    T elements[8];
    Store(elements);
    __builtin_memcpy(p, elements, n * sizeof(T));
  }

 private:
  static __m128i LoadBytes(const void* p) { return _mm_loadl_epi64(static_cast<const __m128i*>(p)); }
};

struct F32x8 {
  using Int = S32x8;
  __m128 low, high;

  static F32x8 Zero() { return {_mm_setzero_ps(), _mm_setzero_ps()}; }
  static F32x8 Broadcast(float x) { return {_mm_set1_ps(x), _mm_set1_ps(x)}; }
  static F32x8 Load(const float* p) { return {_mm_loadu_ps(p), _mm_loadu_ps(p + 4)}; }
  static F32x8 LoadPartial(const float* p, size_t n) {
    return {_mm_castsi128_ps(LoadFirst(p, n)),
            n > 4 ? _mm_castsi128_ps(LoadFirst(p + 4, n - 4)) : _mm_setzero_ps()};
  }
  static F32x8 LoadHalf(const uint16_t* p);
  void Store(float* p) const {
    _mm_storeu_ps(p, low);
    _mm_storeu_ps(p + 4, high);
  }
  void StorePartial(float* p, size_t n) const {
    StoreFirst(p, n, _mm_castps_si128(low));
    if (n > 4) StoreFirst(p + 4, n - 4, _mm_castps_si128(high));
  }
  void StoreHalf(uint16_t* p) const;
};

// Applies an intrinsic to both halves.
#define MICRORT_HALVES1(intrinsic, a) intrinsic((a).low), intrinsic((a).high)
#define MICRORT_HALVES2(intrinsic, a, b) intrinsic((a).low, (b).low), intrinsic((a).high, (b).high)

// Products of even and of odd lanes, of which bits 31 to 62 are wanted.
inline __m128i DoublingHighMulLanes(__m128i a, __m128i b) {
  const __m128i half = _mm_set1_epi64x(int64_t{1} << 30);
  const __m128i even = _mm_add_epi64(_mm_mul_epi32(a, b), half);
  const __m128i odd = _mm_add_epi64(_mm_mul_epi32(_mm_srli_epi64(a, 32), _mm_srli_epi64(b, 32)), half);
  return _mm_blend_epi16(_mm_srli_epi64(even, 31), _mm_slli_epi64(odd, 1), 0xcc);
}
// The instruction shifts all lanes by one number.
inline __m128i ShiftRightLanes(__m128i a, __m128i n) {
  const __m128i first = _mm_sra_epi32(a, _mm_blend_epi16(n, _mm_setzero_si128(), 0xfc));
  const __m128i second = _mm_sra_epi32(a, _mm_srli_epi64(n, 32));
  const __m128i third = _mm_sra_epi32(a, _mm_unpackhi_epi32(n, _mm_setzero_si128()));
  const __m128i fourth = _mm_sra_epi32(a, _mm_srli_si128(n, 12));
  return _mm_blend_epi16(_mm_blend_epi16(first, second, 0x0c), _mm_blend_epi16(third, fourth, 0xc0), 0xf0);
}

inline S32x8 operator+(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(_mm_add_epi32, a, b)}; }
inline S32x8 operator-(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(_mm_sub_epi32, a, b)}; }
inline S32x8 operator*(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(_mm_mullo_epi32, a, b)}; }
inline S32x8 operator&(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(_mm_and_si128, a, b)}; }
inline S32x8 operator|(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(_mm_or_si128, a, b)}; }
inline S32x8 operator^(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(_mm_xor_si128, a, b)}; }
inline S32x8 operator~(S32x8 a) { return a ^ S32x8::Broadcast(-1); }
inline S32x8 Min(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(_mm_min_epi32, a, b)}; }
inline S32x8 Max(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(_mm_max_epi32, a, b)}; }
inline S32x8 ShiftLeft(S32x8 a, int n) { return {_mm_slli_epi32(a.low, n), _mm_slli_epi32(a.high, n)}; }
inline S32x8 ShiftRight(S32x8 a, int n) { return {_mm_srai_epi32(a.low, n), _mm_srai_epi32(a.high, n)}; }
// Powers of two by the exponents of floats; 2^31 becomes INT32_MIN, which is the same bits.
inline S32x8 ShiftLeft(S32x8 a, S32x8 n) {
  const S32x8 exponents = ShiftLeft(n + S32x8::Broadcast(127), 23);
  const S32x8 powers = {_mm_cvttps_epi32(_mm_castsi128_ps(exponents.low)),
                        _mm_cvttps_epi32(_mm_castsi128_ps(exponents.high))};
  return a * powers;
}
inline S32x8 ShiftRight(S32x8 a, S32x8 n) { return {MICRORT_HALVES2(ShiftRightLanes, a, n)}; }
inline S32x8 DoublingHighMul(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(DoublingHighMulLanes, a, b)}; }
inline S32x8 Less(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(_mm_cmplt_epi32, a, b)}; }
inline S32x8 Equal(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(_mm_cmpeq_epi32, a, b)}; }
inline F32x8 ToFloat(S32x8 a) { return {MICRORT_HALVES1(_mm_cvtepi32_ps, a)}; }
inline F32x8 AsFloat(S32x8 a) { return {MICRORT_HALVES1(_mm_castsi128_ps, a)}; }
inline S32x8 Select(S32x8 mask, S32x8 a, S32x8 b) {
  return {_mm_blendv_epi8(b.low, a.low, mask.low), _mm_blendv_epi8(b.high, a.high, mask.high)};
}
inline bool AnyTrue(S32x8 mask) { return _mm_movemask_epi8(_mm_or_si128(mask.low, mask.high)) != 0; }

inline F32x8 operator+(F32x8 a, F32x8 b) { return {MICRORT_HALVES2(_mm_add_ps, a, b)}; }
inline F32x8 operator-(F32x8 a, F32x8 b) { return {MICRORT_HALVES2(_mm_sub_ps, a, b)}; }
inline F32x8 operator*(F32x8 a, F32x8 b) { return {MICRORT_HALVES2(_mm_mul_ps, a, b)}; }
inline F32x8 operator/(F32x8 a, F32x8 b) { return {MICRORT_HALVES2(_mm_div_ps, a, b)}; }
inline F32x8 operator-(F32x8 a) {
  const F32x8 sign = F32x8::Broadcast(-0.0f);
  return {MICRORT_HALVES2(_mm_xor_ps, a, sign)};
}
inline F32x8 Min(F32x8 a, F32x8 b) { return {MICRORT_HALVES2(_mm_min_ps, a, b)}; }
inline F32x8 Max(F32x8 a, F32x8 b) { return {MICRORT_HALVES2(_mm_max_ps, a, b)}; }
inline F32x8 Fma(F32x8 a, F32x8 b, F32x8 c) { return a * b + c; }
inline F32x8 Sqrt(F32x8 a) { return {MICRORT_HALVES1(_mm_sqrt_ps, a)}; }
inline F32x8 Abs(F32x8 a) {
  const F32x8 sign = F32x8::Broadcast(-0.0f);
  return {MICRORT_HALVES2(_mm_andnot_ps, sign, a)};
}
// The mode is part of the instruction.
template <int kMode>
inline F32x8 Round(F32x8 a) {
  return {_mm_round_ps(a.low, kMode | _MM_FROUND_NO_EXC), _mm_round_ps(a.high, kMode | _MM_FROUND_NO_EXC)};
}
inline F32x8 RoundEven(F32x8 a) { return Round<_MM_FROUND_TO_NEAREST_INT>(a); }
inline F32x8 Floor(F32x8 a) { return Round<_MM_FROUND_TO_NEG_INF>(a); }
inline F32x8 Ceil(F32x8 a) { return Round<_MM_FROUND_TO_POS_INF>(a); }
inline F32x8 Trunc(F32x8 a) { return Round<_MM_FROUND_TO_ZERO>(a); }
inline S32x8 AsInt(F32x8 a) { return {MICRORT_HALVES1(_mm_castps_si128, a)}; }
inline S32x8 Less(F32x8 a, F32x8 b) { return AsInt({MICRORT_HALVES2(_mm_cmplt_ps, a, b)}); }
inline S32x8 LessEqual(F32x8 a, F32x8 b) { return AsInt({MICRORT_HALVES2(_mm_cmple_ps, a, b)}); }
inline S32x8 Equal(F32x8 a, F32x8 b) { return AsInt({MICRORT_HALVES2(_mm_cmpeq_ps, a, b)}); }
inline S32x8 NotEqual(F32x8 a, F32x8 b) { return AsInt({MICRORT_HALVES2(_mm_cmpneq_ps, a, b)}); }
inline F32x8 Select(S32x8 mask, F32x8 a, F32x8 b) {
  const F32x8 m = AsFloat(mask);
  return {_mm_blendv_ps(b.low, a.low, m.low), _mm_blendv_ps(b.high, a.high, m.high)};
}
inline S32x8 RoundToIntInRange(F32x8 a) { return {MICRORT_HALVES1(_mm_cvtps_epi32, a)}; }
// The instruction gives INT32_MIN for everything out of range.
inline S32x8 RoundToInt(F32x8 a) {
  const S32x8 too_large = LessEqual(F32x8::Broadcast(0x1p31f), a);
  const S32x8 not_nan = Equal(a, a);
  return (RoundToIntInRange(a) ^ too_large) & not_nan;
}

#undef MICRORT_HALVES1
#undef MICRORT_HALVES2

// Conversions to and from halves as those of kernels/base/half.h.
inline F32x8 F32x8::LoadHalf(const uint16_t* p) {
  const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const S32x8 bits = {_mm_cvtepu16_epi32(halves), _mm_cvtepu16_epi32(_mm_srli_si128(halves, 8))};
  const S32x8 magnitude = bits & S32x8::Broadcast(0x7fff);
  // Twice for infinities and NaN, whose exponents have all bits set in both formats.
  const S32x8 bias = S32x8::Broadcast(112 << 23);
  const S32x8 normal = ShiftLeft(magnitude, 13) + bias + (Less(S32x8::Broadcast(0x7bff), magnitude) & bias);
  const S32x8 subnormal = AsInt(ToFloat(magnitude) * Broadcast(0x1p-24f));
  const S32x8 sign = ShiftLeft(bits & S32x8::Broadcast(0x8000), 16);
  return AsFloat(Select(Less(magnitude, S32x8::Broadcast(0x400)), subnormal, normal) | sign);
}
inline void F32x8::StoreHalf(uint16_t* p) const {
  const S32x8 bits = AsInt(*this);
  const S32x8 magnitude = bits & S32x8::Broadcast(0x7fffffff);
  const S32x8 odd = ShiftRight(magnitude, 13) & S32x8::Broadcast(1);
  S32x8 half = ShiftRight(magnitude + odd + S32x8::Broadcast(0xfff - 0x38000000), 13);
  // Adding 0.5 leaves a subnormal's bits at the bottom of the float, rounded to nearest even.
  const F32x8 point = Broadcast(0.5f);
  half = Select(Less(magnitude, S32x8::Broadcast(0x38800000)),
                AsInt(AsFloat(magnitude) + point) - AsInt(point), half);
  half = Select(Less(S32x8::Broadcast(0x477fefff), magnitude), S32x8::Broadcast(0x7c00), half);
  half = Select(Less(S32x8::Broadcast(0x7f800000), magnitude), S32x8::Broadcast(0x7e00), half);
  half = half | (ShiftRight(bits, 16) & S32x8::Broadcast(0x8000));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm_packus_epi32(half.low, half.high));
}

// The upper half folded onto the lower one, and that folded again: lanes 0 and 1 hold the two subtrees.
inline float ReduceAdd(F32x8 a) {
  const __m128 four = _mm_add_ps(a.low, a.high);
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
// Both subtrees of a, and of b behind them.
inline __m128 AddToPairs(F32x8 a, F32x8 b) {
  const __m128 of_a = _mm_add_ps(a.low, a.high), of_b = _mm_add_ps(b.low, b.high);
  return _mm_add_ps(_mm_movelh_ps(of_a, of_b), _mm_movehl_ps(of_b, of_a));
}
inline void ReduceAdd(F32x8 a, F32x8 b, F32x8 c, F32x8 d, float* y) {
  const __m128 ab = AddToPairs(a, b), cd = AddToPairs(c, d);
  _mm_storeu_ps(y, _mm_add_ps(_mm_shuffle_ps(ab, cd, 0x88), _mm_shuffle_ps(ab, cd, 0xdd)));
}
inline float ReduceMin(F32x8 a) {
  const __m128 four = _mm_min_ps(a.low, a.high);
  const __m128 two = _mm_min_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_min_ss(two, _mm_movehdup_ps(two)));
}
inline float ReduceMax(F32x8 a) {
  const __m128 four = _mm_max_ps(a.low, a.high);
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}

}  // namespace
}  // namespace micrort
