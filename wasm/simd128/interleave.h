#pragma once
// Elements of two vectors that alternate: of their lower halves, or of their upper ones.

#include <wasm_simd128.h>

namespace micrort {
namespace {

inline v128_t InterleaveLowBytes(v128_t a, v128_t b) {
  return wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
inline v128_t InterleaveHighBytes(v128_t a, v128_t b) {
  return wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
inline v128_t InterleaveLowWords(v128_t a, v128_t b) { return wasm_i32x4_shuffle(a, b, 0, 4, 1, 5); }
inline v128_t InterleaveHighWords(v128_t a, v128_t b) { return wasm_i32x4_shuffle(a, b, 2, 6, 3, 7); }

}  // namespace
}  // namespace micrort
