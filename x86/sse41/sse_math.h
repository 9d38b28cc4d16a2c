#pragma once
// What these kernels do by intrinsics of SSE that Emscripten's headers emulate, for WebAssembly, with several
// instructions or a loop, where it has an instruction of its own.

#include <immintrin.h>

#include <cstdint>
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace micrort {
namespace {

#if defined(__wasm_simd128__)

// a < b ? a : b, and a > b ? a : b.
inline __m128 MinLanes(__m128 a, __m128 b) { return wasm_f32x4_pmin(b, a); }
inline __m128 MaxLanes(__m128 a, __m128 b) { return wasm_f32x4_pmax(b, a); }
// Halves to even. For -2^31 <= a < 2^31 only.
inline __m128i RoundToIntLanes(__m128 a) { return wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(a)); }
// The bits of whole numbers from 0 to 2^31, which becomes INT32_MIN.
inline __m128i BitsOfWholeLanes(__m128 a) { return wasm_u32x4_trunc_sat_f32x4(a); }

// Bits 31 to 62 of products of 64 bits.
inline __m128i MiddleBits(v128_t low, v128_t high) {
  return wasm_i32x4_shuffle(wasm_u64x2_shr(low, 31), wasm_u64x2_shr(high, 31), 0, 2, 4, 6);
}
// b as it is. Clang would widen what is the same in all rounds of a loop before it; the product that is left
// is one of 64 bits, of which CPUs make ten instructions.
inline v128_t WidenedWithTheProduct(v128_t b) {
  __asm__ volatile("" : "+r"(b));
  return b;
}
// floor(a * b / 2^31 + 1/2).
inline __m128i DoublingHighMulLanes(__m128i a, __m128i b) {
  const v128_t half = wasm_i64x2_splat(int64_t{1} << 30), by = WidenedWithTheProduct(b);
  return MiddleBits(wasm_i64x2_add(wasm_i64x2_extmul_low_i32x4(a, by), half),
                    wasm_i64x2_add(wasm_i64x2_extmul_high_i32x4(a, by), half));
}
// By products with 2^(31 - n). Its opposite fits where n = 0, too; what depends on n alone is done before a
// loop.
inline __m128i ShiftRightLanes(__m128i a, __m128i n) {
  const v128_t exponents = wasm_i32x4_shl(wasm_i32x4_sub(wasm_i32x4_splat(31 + 127), n), 23);
  const v128_t opposites = WidenedWithTheProduct(wasm_i32x4_neg(BitsOfWholeLanes(exponents)));
  return MiddleBits(wasm_i64x2_neg(wasm_i64x2_extmul_low_i32x4(a, opposites)),
                    wasm_i64x2_neg(wasm_i64x2_extmul_high_i32x4(a, opposites)));
}

#else

inline __m128 MinLanes(__m128 a, __m128 b) { return _mm_min_ps(a, b); }
inline __m128 MaxLanes(__m128 a, __m128 b) { return _mm_max_ps(a, b); }
inline __m128i RoundToIntLanes(__m128 a) { return _mm_cvtps_epi32(a); }
inline __m128i BitsOfWholeLanes(__m128 a) { return _mm_cvttps_epi32(a); }

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

#endif

}  // namespace
}  // namespace micrort
