#pragma once
// Softmax over a vector type F of eight lanes (kernels/base/simd/vec8.h); columns, which are independent,
// also over one of more lanes. The maximum is subtracted first, so that exponentials do not overflow; it
// passes over NaN, which then spreads through the sum.

#include <cstddef>

#include "kernels/elementwise/math_f32_impl.h"
#include "kernels/elementwise/softmax_f32.h"

namespace micrort {

template <typename V>
constexpr size_t kLanesOf = sizeof(V) / sizeof(float);

// The first n of eight floats; the others are -infinity, whose exponential adds nothing.
template <typename F>
inline F LoadOrMinusInfinity(const float* x, size_t n) {
  if (n >= 8) return F::Load(x);
  float padded[8];
  for (size_t i = 0; i < 8; ++i) padded[i] = i < n ? x[i] : -__builtin_inff();
  return F::Load(padded);
}
template <typename V>
inline void StoreFirst(V v, float* y, size_t n) {
  if (n >= kLanesOf<V>) return v.Store(y);
  v.StorePartial(y, n);
}

template <typename F>
inline void SoftmaxRow(const float* x, float* y, size_t n, bool log) {
  F lanes_max = F::Broadcast(-__builtin_inff());
  for (size_t i = 0; i < n; i += 8) lanes_max = Max(LoadOrMinusInfinity<F>(x + i, n - i), lanes_max);
  const F max = F::Broadcast(ReduceMax(lanes_max));
  F lanes_sum = F::Zero();
  for (size_t i = 0; i < n; i += 8) {
    const F e = Exp(LoadOrMinusInfinity<F>(x + i, n - i) - max);
    lanes_sum = lanes_sum + e;
    if (!log) StoreFirst(e, y + i, n - i);
  }
  const F sum = F::Broadcast(ReduceAdd(lanes_sum));
  const F log_sum = Log(sum), scale = F::Broadcast(1.0f) / sum;
  for (size_t i = 0; i < n; i += 8) {
    const F v = LoadOrMinusInfinity<F>((log ? x : y) + i, n - i);
    StoreFirst(log ? (v - max) - log_sum : v * scale, y + i, n - i);
  }
}

// At most as many columns as F has lanes, one a lane.
template <typename F>
inline void SoftmaxLanes(const float* x, float* y, size_t columns, size_t n, size_t stride, bool log) {
  const auto load = [=](const float* p) {
    return columns >= kLanesOf<F> ? F::Load(p) : F::LoadPartial(p, columns);
  };
  F max = load(x);
  for (size_t i = 1; i < n; ++i) max = Max(load(x + i * stride), max);
  F sum = F::Zero();
  for (size_t i = 0; i < n; ++i) {
    const F e = Exp(load(x + i * stride) - max);
    sum = sum + e;
    if (!log) StoreFirst(e, y + i * stride, columns);
  }
  const F log_sum = Log(sum), scale = F::Broadcast(1.0f) / sum;
  for (size_t i = 0; i < n; ++i) {
    const F v = load((log ? x : y) + i * stride);
    StoreFirst(log ? (v - max) - log_sum : v * scale, y + i * stride, columns);
  }
}

template <typename F>
inline void SoftmaxColumns(const float* x, float* y, size_t columns, size_t n, size_t stride, bool log) {
  for (size_t c = 0; c < columns; c += kLanesOf<F>) {
    SoftmaxLanes<F>(x + c, y + c, columns - c < kLanesOf<F> ? columns - c : kLanesOf<F>, n, stride, log);
  }
}

// Short rows would leave most lanes idle: eight of them are transposed into columns.
template <typename F>
inline void SoftmaxShortRows(const float* x, float* y, size_t rows, size_t n, bool log) {
  float columns[kShortRow * 8] = {};
  for (size_t first = 0; first < rows; first += 8) {
    const size_t count = rows - first < 8 ? rows - first : 8;
    for (size_t r = 0; r < count; ++r) {
      for (size_t i = 0; i < n; ++i) columns[i * 8 + r] = x[(first + r) * n + i];
    }
    SoftmaxLanes<F>(columns, columns, 8, n, 8, log);
    for (size_t r = 0; r < count; ++r) {
      for (size_t i = 0; i < n; ++i) y[(first + r) * n + i] = columns[i * 8 + r];
    }
  }
}

template <typename F>
inline void SoftmaxRows(const float* x, float* y, size_t rows, size_t n, bool log) {
  if (n <= kShortRow) return SoftmaxShortRows<F>(x, y, rows, n, log);
  for (size_t r = 0; r < rows; ++r) SoftmaxRow<F>(x + r * n, y + r * n, n, log);
}

}  // namespace micrort
