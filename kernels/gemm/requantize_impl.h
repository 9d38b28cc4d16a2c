#pragma once
// The epilogue of int8 layers over a vector type F of eight lanes (kernels/base/simd/vec8.h).

#include "kernels/base/simd/vec8.h"
#include "kernels/gemm/requantize.h"

namespace micrort {
namespace {

// All elements of a vector, or the first few of them at the end of a row.
template <typename F>
struct WholeVector {
  template <typename V, typename T>
  V Load(const T* p) const {
    return V::Load(p);
  }
  template <typename V, typename T>
  void Store(V v, T* p) const {
    v.Store(p);
  }
};
template <typename F>
struct PartialVector {
  size_t count;
  template <typename V, typename T>
  V Load(const T* p) const {
    return V::LoadPartial(p, count);
  }
  template <typename V, typename T>
  void Store(V v, T* p) const {
    v.StorePartial(p, count);
  }
};

// What eight columns have in common, loaded once for all rows.
template <typename F>
struct Columns {
  typename F::Int bias, sums;
  F multipliers;

  template <typename Access>
  Columns(const AccumulatorTile& t, size_t j, Access access)
      : bias(access.template Load<typename F::Int>(t.bias + j)),
        sums(access.template Load<typename F::Int>(t.column_sums + j)),
        multipliers(access.template Load<F>(t.multipliers + j)) {}
};

// v of columns j to j + 7 in row i.
template <typename F, typename Access>
inline F ScaledSums(const AccumulatorTile& t, const Columns<F>& columns, size_t i, size_t j, Access access) {
  using I = typename F::Int;
  const I sum = access.template Load<I>(t.acc + i * t.acc_stride + j) + columns.bias;
  if (t.row_scales == nullptr) return ToFloat(sum) * columns.multipliers;
  const I shifted = sum - I::Broadcast(t.row_zero_points[i]) * columns.sums;
  return ToFloat(shifted) * (F::Broadcast(t.row_scales[i]) * columns.multipliers);
}

// Half to even, for |a| < 2^22. Vectors that have something faster than for all integers overload it.
template <typename F>
inline typename F::Int RoundToSmallInt(const F& a) {
  return RoundToIntInRange(a);
}

// Rounded, clamped and with the zero point.
template <typename F>
inline typename F::Int Quantized(F v, const RequantizeOutput& o) {
  const F clamped = Max(Min(v, F::Broadcast(o.hi)), F::Broadcast(o.lo));
  return RoundToSmallInt(clamped) + F::Int::Broadcast(o.zero_point);
}

// PRelu.
template <typename F>
inline F BySlopesBelowZero(F v, F slopes) {
  return Select(Less(v, F::Zero()), v * slopes, v);
}

template <typename F, typename Access>
inline void ColumnsToS8(const AccumulatorTile& t, const RequantizeOutput& o, size_t j, Access access) {
  using I = typename F::Int;
  const Columns<F> columns(t, j, access);
  const F slopes = o.slopes == nullptr ? F::Zero() : access.template Load<F>(o.slopes + j);
  for (size_t i = 0; i < t.m; ++i) {
    F v = ScaledSums(t, columns, i, j, access);
    const size_t at = i * o.stride + j;
    if (o.residual != nullptr) {
      const I residual = access.template Load<I>(o.residual + at) - I::Broadcast(o.residual_zero_point);
      v = v + ToFloat(residual) * F::Broadcast(o.residual_ratio);
    }
    if (o.slopes != nullptr) v = BySlopesBelowZero(v, slopes);
    access.Store(Quantized(v, o), o.y + at);
  }
}

// The same where there are neither a residual nor slopes nor a quantization of rows: most layers, and half
// the work.
template <typename F>
inline void PlainColumnsToS8(const AccumulatorTile& t, const RequantizeOutput& o, size_t j) {
  const Columns<F> columns(t, j, WholeVector<F>());
  const int32_t* acc = t.acc + j;
  int8_t* y = o.y + j;
  for (size_t i = 0; i < t.m; ++i, acc += t.acc_stride, y += o.stride) {
    Quantized(ToFloat(F::Int::Load(acc) + columns.bias) * columns.multipliers, o).Store(y);
  }
}

// How the sums of eight columns are scaled as integers.
template <typename F>
struct FixedColumns {
  using I = typename F::Int;
  I bias, sums, multipliers, left, right;

  template <typename Access>
  FixedColumns(const AccumulatorTile& t, size_t j, Access access)
      : bias(access.template Load<I>(t.bias + j)),
        sums(access.template Load<I>(t.column_sums + j)),
        multipliers(access.template Load<I>(t.fixed_multipliers + j)) {
    const I shifts = access.template Load<I>(t.shifts + j);
    left = Max(shifts, I::Zero());
    right = left - shifts;
  }
  I Scaled(I sum) const { return FixedMultiply(sum, multipliers, left, right); }
};

template <typename F, typename Access>
inline void FixedColumnsToS8(const AccumulatorTile& t, const RequantizeOutput& o, size_t j, Access access) {
  using I = typename F::Int;
  const FixedColumns<F> columns(t, j, access);
  const I lo = I::Broadcast(static_cast<int32_t>(o.lo)), hi = I::Broadcast(static_cast<int32_t>(o.hi));
  for (size_t i = 0; i < t.m; ++i) {
    I sum = access.template Load<I>(t.acc + i * t.acc_stride + j) + columns.bias;
    if (t.row_zero_points != nullptr) sum = sum - I::Broadcast(t.row_zero_points[i]) * columns.sums;
    const I y = Max(Min(columns.Scaled(sum), hi), lo) + I::Broadcast(o.zero_point);
    access.Store(y, o.y + i * o.stride + j);
  }
}

// Instruction sets that have something faster for many columns of rows with one quantization say so here:
// Run() does the first of the tile's columns and gives back their number.
struct NoColumns16 {
  static size_t Run(const AccumulatorTile&, const RequantizeOutput&) { return 0; }
};

template <typename F, typename Access>
inline void ColumnsToF32(const AccumulatorTile& t, const DequantizeOutput& o, size_t j, Access access) {
  const Columns<F> columns(t, j, access);
  const F bias = o.bias == nullptr ? F::Zero() : access.template Load<F>(o.bias + j);
  for (size_t i = 0; i < t.m; ++i) {
    F v = ScaledSums(t, columns, i, j, access) + bias;
    const size_t at = i * o.stride + j;
    if (o.residual != nullptr) v = v + access.template Load<F>(o.residual + at);
    // In this order of operands a NaN passes through.
    access.Store(Max(F::Broadcast(o.lo), Min(F::Broadcast(o.hi), v)), o.y + at);
  }
}

template <typename F, typename Columns16 = NoColumns16>
inline void RequantizeFixedS8(const AccumulatorTile& t, const RequantizeOutput& o) {
  size_t j = t.row_zero_points == nullptr ? Columns16::Run(t, o) : 0;
  for (; j + 8 <= t.n; j += 8) FixedColumnsToS8<F>(t, o, j, WholeVector<F>());
  if (j < t.n) FixedColumnsToS8<F>(t, o, j, PartialVector<F>{t.n - j});
}

template <typename F, typename Columns16 = NoColumns16>
inline void RequantizeS8(const AccumulatorTile& t, const RequantizeOutput& o) {
  const bool plain = t.row_scales == nullptr && o.residual == nullptr && o.slopes == nullptr;
  size_t j = t.row_scales == nullptr ? Columns16::Run(t, o) : 0;
  for (; plain && j + 8 <= t.n; j += 8) PlainColumnsToS8<F>(t, o, j);
  for (; j + 8 <= t.n; j += 8) ColumnsToS8<F>(t, o, j, WholeVector<F>());
  if (j < t.n) ColumnsToS8<F>(t, o, j, PartialVector<F>{t.n - j});
}

template <typename F>
inline void RequantizeF32(const AccumulatorTile& t, const DequantizeOutput& o) {
  size_t j = 0;
  for (; j + 8 <= t.n; j += 8) ColumnsToF32<F>(t, o, j, WholeVector<F>());
  if (j < t.n) ColumnsToF32<F>(t, o, j, PartialVector<F>{t.n - j});
}

}  // namespace
}  // namespace micrort
