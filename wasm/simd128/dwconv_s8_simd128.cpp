#include "kernels/dwconv/dwconv_s8.h"
#include "kernels/dwconv/dwconv_s8_impl.h"
#include "wasm/simd128/interleave.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {
namespace {

// The bytes of two rows alternate. As int16, one instruction multiplies them and adds each pair into an
// int32. A byte becomes an int16, 256 times as large, by a zero below it.
struct Ops {
  using Sums = S32x8;
  using Element = int8_t;
  static constexpr int kPixels = 4;
  static constexpr bool kSlidesFive = false;
  struct Taps {
    v128_t low, high;
  };
  using Weights = Taps;

  template <bool kPair>
  static Taps Load(const int8_t* x0, const int8_t* x1) {
    const v128_t zero = wasm_i32x4_const_splat(0);
    const v128_t pairs =
        InterleaveLowBytes(wasm_v128_load64_zero(x0), kPair ? wasm_v128_load64_zero(x1) : zero);
    return {InterleaveLowBytes(zero, pairs), InterleaveHighBytes(zero, pairs)};
  }
  static Weights LoadWeights(const int8_t* p) { return {wasm_i16x8_load8x8(p), wasm_i16x8_load8x8(p + 8)}; }
  template <bool kPair>
  static Sums MulAdd(Sums sums, Taps x, Weights w) {
    return sums + Products(x, w);
  }
  static Sums Unscaled(Sums sums) { return ShiftRight(sums, 8); }
  template <bool kPair>
  static Sums MulAddUnscaled(Sums sums, Taps x, Weights w) {
    return sums + Unscaled(Products(x, w));
  }

 private:
  static Sums Products(Taps x, Weights w) {
    return {wasm_i32x4_dot_i16x8(x.low, w.low), wasm_i32x4_dot_i16x8(x.high, w.high)};
  }
};

}  // namespace

void DwConvS8_simd128_8(const DwConvS8Tile& tile) { DwConvS8<Ops>(tile); }

}  // namespace micrort
