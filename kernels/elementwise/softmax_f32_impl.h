#pragma once
// Softmax over a vector type F of eight lanes (kernels/base/simd/vec8.h), and W of as many or twice as many,
// which computes what does not depend on the number of lanes. The maximum is subtracted first, so that
// exponentials do not overflow; it passes over NaN, which then spreads through the sum.

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

// Calls f(V(), i) for whole vectors of n elements, the wider ones first, and for the rest.
template <typename F, typename W, typename Function>
inline void ForEachVector(size_t n, Function f) {
  size_t i = 0;
  for (; n - i >= kLanesOf<W>; i += kLanesOf<W>) f(W(), i);
  for (; i < n; i += 8) f(F(), i);
}

template <typename F>
inline F MaxOf(F lanes, F max) {
  return Max(lanes, max);
}
template <typename F>
inline F SumOf(F lanes, F sum) {
  return sum + lanes;
}

// Of eight that are all the same.
template <typename F>
inline float AnyLane(F v) {
  float lanes[8];
  v.Store(lanes);
  return lanes[0];
}

template <typename F, typename W>
inline void SoftmaxRow(const float* x, float* y, size_t n, bool log) {
  const auto load = [&](auto v, const float* from, size_t i) {
    using V = decltype(v);
    if constexpr (kLanesOf < V >> 8) {
      return V::Load(from + i);
    } else {
      return LoadOrMinusInfinity<V>(from + i, n - i);
    }
  };
  F lanes_max = F::Broadcast(-__builtin_inff());
  ForEachVector<F, W>(n, [&](auto v, size_t i) { lanes_max = MaxOf(load(v, x, i), lanes_max); });
  const float max = ReduceMax(lanes_max);
  F lanes_sum = F::Zero();
  ForEachVector<F, W>(n, [&](auto v, size_t i) {
    const auto e = Exp(load(v, x, i) - v.Broadcast(max));
    lanes_sum = SumOf(e, lanes_sum);
    if (!log) StoreFirst(e, y + i, n - i);
  });
  const F sum = F::Broadcast(ReduceAdd(lanes_sum));
  const float log_sum = AnyLane(Log(sum)), scale = AnyLane(F::Broadcast(1.0f) / sum);
  ForEachVector<F, W>(n, [&](auto v, size_t i) {
    const auto z = load(v, log ? x : y, i);
    StoreFirst(log ? (z - v.Broadcast(max)) - v.Broadcast(log_sum) : z * v.Broadcast(scale), y + i, n - i);
  });
}

// At most as many columns as V has lanes, one a lane.
template <typename V>
inline void SoftmaxLanes(const float* x, float* y, size_t columns, size_t n, size_t stride, bool log) {
  const auto load = [=](const float* p) {
    return columns >= kLanesOf<V> ? V::Load(p) : V::LoadPartial(p, columns);
  };
  V max = load(x);
  for (size_t i = 1; i < n; ++i) max = Max(load(x + i * stride), max);
  V sum = V::Zero();
  for (size_t i = 0; i < n; ++i) {
    const V e = Exp(load(x + i * stride) - max);
    sum = sum + e;
    if (!log) StoreFirst(e, y + i * stride, columns);
  }
  const V log_sum = Log(sum), scale = V::Broadcast(1.0f) / sum;
  for (size_t i = 0; i < n; ++i) {
    const V v = load((log ? x : y) + i * stride);
    StoreFirst(log ? (v - max) - log_sum : v * scale, y + i * stride, columns);
  }
}

template <typename V>
inline void SoftmaxColumns(const float* x, float* y, size_t columns, size_t n, size_t stride, bool log) {
  for (size_t c = 0; c < columns; c += kLanesOf<V>) {
    SoftmaxLanes<V>(x + c, y + c, columns - c < kLanesOf<V> ? columns - c : kLanesOf<V>, n, stride, log);
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

template <typename F, typename W = F>
inline void SoftmaxRows(const float* x, float* y, size_t rows, size_t n, bool log) {
  if (n <= kShortRow) return SoftmaxShortRows<F>(x, y, rows, n, log);
  for (size_t r = 0; r < rows; ++r) SoftmaxRow<F, W>(x + r * n, y + r * n, n, log);
}

}  // namespace micrort
