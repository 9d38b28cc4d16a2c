#include "kernels/gemm/gemm_s8_dot_impl.h"
#include "kernels/winograd/winograd_s8_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {
namespace {

struct Words {
  static constexpr size_t kLanes = 8;
  v128_t v;

  static Words Load(const int8_t* p) { return {wasm_i16x8_load8x8(p)}; }
  void Store(int16_t* p) const { wasm_v128_store(p, v); }
};

inline Words operator+(Words a, Words b) { return {wasm_i16x8_add(a.v, b.v)}; }
inline Words operator-(Words a, Words b) { return {wasm_i16x8_sub(a.v, b.v)}; }

// Pairs of int16 on both sides.
struct Pairs {
  using Type = v128_t;
  using Right = int16_t;
  static constexpr int kLanes = 4, kDepth = 2;

  static Type Zero() { return wasm_i32x4_const_splat(0); }
  static Type Load(const int16_t* p) { return wasm_v128_load(p); }
  static Type Broadcast(int32_t pair) { return wasm_i32x4_splat(pair); }
  static Type DotAdd(Type acc, Type x, Type w) { return wasm_i32x4_add(acc, wasm_i32x4_dot_i16x8(x, w)); }
  static void Store(int32_t* p, Type v) { wasm_v128_store(p, v); }
};

}  // namespace

void WinogradS8Input_simd128_4x8(const WinogradS8Input& tile) { WinogradS8InputTile<Words>(tile); }

void WinogradS8Multiply_simd128_4x8(const WinogradS8Product& t) {
  GemmS8Dot<Pairs, 4>({t.m, t.depth, t.a, t.depth * sizeof(int16_t), t.b, t.products}, t.n);
}

void WinogradS8Output_simd128_4x8(const WinogradS8Output& row) { WinogradS8OutputRow<S32x8, 8>(row); }

}  // namespace micrort
