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

// v of columns j to j + 7 in row i; kRows: rows are quantized each in its own way.
template <bool kRows, typename F, typename Access>
inline F ScaledSums(const AccumulatorTile& t, const Columns<F>& columns, size_t i, size_t j, Access access) {
  using I = typename F::Int;
  const I sum = access.template Load<I>(t.acc + i * t.acc_stride + j) + columns.bias;
  if (!kRows) return ToFloat(sum) * columns.multipliers;
  const I shifted = sum - I::Broadcast(t.row_zero_points[i]) * columns.sums;
  return ToFloat(shifted) * (F::Broadcast(t.row_scales[i]) * columns.multipliers);
}

template <typename F, bool kRows, bool kResidual, typename Access>
inline void ColumnsToS8(const AccumulatorTile& t, const RequantizeOutput& o, size_t j, Access access) {
  using I = typename F::Int;
  const Columns<F> columns(t, j, access);
  const F lo = F::Broadcast(o.lo), hi = F::Broadcast(o.hi);
  const I zero_point = I::Broadcast(o.zero_point);
  for (size_t i = 0; i < t.m; ++i) {
    F v = ScaledSums<kRows>(t, columns, i, j, access);
    const size_t at = i * o.stride + j;
    if (kResidual) {
      const I residual = access.template Load<I>(o.residual + at) - I::Broadcast(o.residual_zero_point);
      v = v + ToFloat(residual) * F::Broadcast(o.residual_ratio);
    }
    access.Store(RoundToIntInRange(Max(Min(v, hi), lo)) + zero_point, o.y + at);
  }
}

template <typename F, bool kRows, bool kResidual>
inline void TileToS8(const AccumulatorTile& t, const RequantizeOutput& o) {
  size_t j = 0;
  for (; j + 8 <= t.n; j += 8) ColumnsToS8<F, kRows, kResidual>(t, o, j, WholeVector<F>());
  if (j < t.n) ColumnsToS8<F, kRows, kResidual>(t, o, j, PartialVector<F>{t.n - j});
}

template <typename F, bool kRows, typename Access>
inline void ColumnsToF32(const AccumulatorTile& t, const DequantizeOutput& o, size_t j, Access access) {
  const Columns<F> columns(t, j, access);
  const F bias = o.bias == nullptr ? F::Zero() : access.template Load<F>(o.bias + j);
  for (size_t i = 0; i < t.m; ++i) {
    F v = ScaledSums<kRows>(t, columns, i, j, access) + bias;
    const size_t at = i * o.stride + j;
    if (o.residual != nullptr) v = v + access.template Load<F>(o.residual + at);
    // In this order of operands a NaN passes through.
    access.Store(Max(F::Broadcast(o.lo), Min(F::Broadcast(o.hi), v)), o.y + at);
  }
}

template <typename F, bool kRows>
inline void TileToF32(const AccumulatorTile& t, const DequantizeOutput& o) {
  size_t j = 0;
  for (; j + 8 <= t.n; j += 8) ColumnsToF32<F, kRows>(t, o, j, WholeVector<F>());
  if (j < t.n) ColumnsToF32<F, kRows>(t, o, j, PartialVector<F>{t.n - j});
}

template <typename F>
inline void RequantizeS8(const AccumulatorTile& t, const RequantizeOutput& o) {
  const bool rows = t.row_scales != nullptr, residual = o.residual != nullptr;
  if (rows) return residual ? TileToS8<F, true, true>(t, o) : TileToS8<F, true, false>(t, o);
  return residual ? TileToS8<F, false, true>(t, o) : TileToS8<F, false, false>(t, o);
}

template <typename F>
inline void RequantizeF32(const AccumulatorTile& t, const DequantizeOutput& o) {
  return t.row_scales != nullptr ? TileToF32<F, true>(t, o) : TileToF32<F, false>(t, o);
}

}  // namespace
}  // namespace micrort
