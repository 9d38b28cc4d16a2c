#include <wasm_simd128.h>

#include "kernels/gemm/gemm_s8.h"
#include "kernels/gemm/gemm_s8_dot_impl.h"

namespace micrort {

namespace {

// Pairs of int16: the instruction multiplies exactly and adds each pair into an int32.
struct Vec128 {
  using Type = v128_t;
  using Right = int8_t;
  static constexpr int kLanes = 4, kDepth = 2;

  static Type Zero() { return wasm_i32x4_const_splat(0); }
  static Type Load(const int8_t* p) { return wasm_i16x8_load8x8(p); }
  static Type Broadcast(int32_t pair) { return wasm_i32x4_splat(pair); }
  static Type DotAdd(Type acc, Type x, Type w) { return wasm_i32x4_add(acc, wasm_i32x4_dot_i16x8(x, w)); }
  static void Store(int32_t* p, Type v) { wasm_v128_store(p, v); }
};

}  // namespace

void GemmS8_simd128_4x8(const GemmS8Block& t) {
  GemmS8Dot<Vec128, 4>({t.m, t.depth, t.a, t.a_stride, t.b, t.sums}, t.n);
}

}  // namespace micrort
