#pragma once
// Fixed-point scales by floats: where a float is far enough from the middle of two integers, it rounds to the
// same one as the product of integers, for which WebAssembly takes twice as many instructions. The others,
// one vector in a thousand, are computed again.
//
// The product x = sum * multiplier / 2^31 is rounded to an integer, halves up, and that over 2^n to an
// integer, halves away from zero. The result is k + 1 or more from x >= (k + 1/2) 2^n - 1/2 on, and below
// zero likewise: that of x / 2^n, moved away from zero by 2^-(n + 1) and rounded once.

#include "kernels/gemm/requantize_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {
namespace {

// For shifts to the right, n > 0.
struct FloatColumns {
  F32x8 factors, moves;
  v128_t limits;  // of both halves

  explicit FloatColumns(const FixedColumns<F32x8>& columns) {
    const auto power = [&](int32_t exponent) {
      return AsFloat(ShiftLeft(S32x8::Broadcast(127 + exponent) - columns.right, 23));
    };
    factors = ToFloat(columns.multipliers) * power(-31);
    moves = power(-1);
    const F32x8 limit = power(29);  // below it, integers do not wrap
    limits = wasm_f32x4_pmin(limit.low, limit.high);
  }
};

// So that the last bits of a float below 2^22 are an integer, rounded half to even.
constexpr float kRounding = 0x1.8p23f;
// Below 256, three roundings of floats and that of their sum are off by less than 2^-14; clamps are below,
// too.
constexpr float kFarFromTheMiddle = 0.5f - 0x1p-14f;

// Rows that are computed before a look at whether all are right: a call of a function between them would take
// the registers of all that they have in common.
constexpr size_t kRowsAtOnce = 8;

[[gnu::noinline]] void RowsByIntegers(const AccumulatorTile& t, const RequantizeOutput& o, size_t j) {
  FixedColumnsToS8<F32x8>(t, o, j, WholeVector<F32x8>());
}

inline v128_t LargerLanes(F32x8 a, v128_t b) { return wasm_f32x4_pmax(b, wasm_f32x4_pmax(a.low, a.high)); }

// Eight columns of up to kRowsAtOnce rows. Whether all are right.
inline bool RowsByFloats(const AccumulatorTile& t, const RequantizeOutput& o, size_t j, S32x8 bias,
                         const FloatColumns& columns) {
  const F32x8 lo = F32x8::Broadcast(o.lo), hi = F32x8::Broadcast(o.hi);
  const F32x8 rounding = F32x8::Broadcast(kRounding + static_cast<float>(o.zero_point));
  const S32x8 rounding_bits = AsInt(F32x8::Broadcast(kRounding));
  const S32x8 sign = S32x8::Broadcast(INT32_MIN);
  const int32_t* acc = t.acc + j;
  int8_t* y = o.y + j;
  v128_t largest = wasm_f32x4_const_splat(0), farthest = largest;
  for (size_t i = 0; i < t.m; ++i, acc += t.acc_stride, y += o.stride) {
    const F32x8 scaled = ToFloat(S32x8::Load(acc) + bias) * columns.factors;
    largest = LargerLanes(Abs(scaled), largest);
    const F32x8 moved = scaled + AsFloat((AsInt(scaled) & sign) | AsInt(columns.moves));
    const F32x8 clamped = Max(Min(moved, hi), lo), shifted = clamped + rounding;
    farthest = LargerLanes(Abs(clamped - (shifted - rounding)), farthest);
    (AsInt(shifted) - rounding_bits).Store(y);
  }
  const v128_t middle = wasm_f32x4_const_splat(kFarFromTheMiddle);
  return !wasm_v128_any_true(
      wasm_v128_or(wasm_f32x4_le(columns.limits, largest), wasm_f32x4_lt(middle, farthest)));
}

struct ColumnsByFloats {
  static size_t Run(const AccumulatorTile& t, const RequantizeOutput& o) {
    if (!t.shifts_right) return 0;
    size_t j = 0;
    for (; j + 8 <= t.n; j += 8) {
      const FixedColumns<F32x8> columns(t, j, WholeVector<F32x8>());
      const FloatColumns floats(columns);
      AccumulatorTile rows = t;
      RequantizeOutput out = o;
      for (size_t left = t.m; left > 0; left -= rows.m) {
        rows.m = left < kRowsAtOnce ? left : kRowsAtOnce;
        if (!RowsByFloats(rows, out, j, columns.bias, floats)) RowsByIntegers(rows, out, j);
        rows.acc += rows.m * t.acc_stride;
        out.y += rows.m * o.stride;
      }
    }
    return j;
  }
};

}  // namespace
}  // namespace micrort
