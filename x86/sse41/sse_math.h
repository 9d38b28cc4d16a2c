#pragma once
// Four intrinsics of SSE, as these kernels use them. For WebAssembly, where Emscripten's headers emulate them
// with several instructions or a loop, they are one.

#include <immintrin.h>
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
// Of whole numbers from 0 to 2^31, which becomes INT32_MIN.
inline __m128i BitsOfWholeLanes(__m128 a) { return wasm_u32x4_trunc_sat_f32x4(a); }

#else

inline __m128 MinLanes(__m128 a, __m128 b) { return _mm_min_ps(a, b); }
inline __m128 MaxLanes(__m128 a, __m128 b) { return _mm_max_ps(a, b); }
inline __m128i RoundToIntLanes(__m128 a) { return _mm_cvtps_epi32(a); }
inline __m128i BitsOfWholeLanes(__m128 a) { return _mm_cvttps_epi32(a); }

#endif

}  // namespace
}  // namespace micrort
