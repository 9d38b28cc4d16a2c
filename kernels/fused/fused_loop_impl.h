#pragma once
// What loops over fused element-wise functions are made of, over a vector type F of floats
// (kernels/base/simd/vec8.h): the parts of ahead-of-time C++ that are the same in every loop. kWhole: a whole
// vector, else its first n elements.

#include <cstddef>
#include <cstdint>

#include "kernels/elementwise/element_functions_impl.h"

namespace micrort {

template <typename F>
constexpr size_t kLoopLanes = sizeof(F) / sizeof(float);

template <bool kWhole, typename F>
inline F LoopLoad(const float* x, size_t n) {
  return kWhole ? F::Load(x) : F::LoadPartial(x, n);
}

// The first n elements, with zeros behind them.
template <typename F, typename T>
struct LoopPadded {
  T elements[kLoopLanes<F>] = {};
  LoopPadded(const T* x, size_t n) { __builtin_memcpy(elements, x, n * sizeof(T)); }
};

template <bool kWhole, typename F>
inline F LoopLoad(const uint16_t* x, size_t n) {
  if constexpr (kWhole) {
    return F::LoadHalf(x);
  } else {
    return F::LoadHalf(LoopPadded<F, uint16_t>(x, n).elements);
  }
}

template <bool kWhole, typename F, typename T>
inline F LoopDequantize(const T* x, size_t n, float scale, int32_t zero_point) {
  using I = typename F::Int;
  if constexpr (kWhole) {
    return ToFloat(I::Load(x) - I::Broadcast(zero_point)) * F::Broadcast(scale);
  } else {
    return LoopDequantize<true, F>(LoopPadded<F, T>(x, n).elements, n, scale, zero_point);
  }
}

template <bool kWhole, typename F>
inline void LoopStore(F v, float* y, size_t n) {
  if constexpr (kWhole) {
    v.Store(y);
  } else {
    v.StorePartial(y, n);
  }
}

template <bool kWhole, typename F>
inline void LoopStore(F v, uint16_t* y, size_t n) {
  if constexpr (kWhole) {
    v.StoreHalf(y);
  } else {
    uint16_t elements[kLoopLanes<F>];
    v.StoreHalf(elements);
    __builtin_memcpy(y, elements, n * sizeof(uint16_t));
  }
}

// As QuantizeVectors in kernels/elementwise/convert_f32_impl.h.
template <bool kWhole, typename F, typename T>
inline void LoopQuantize(F v, T* y, size_t n, float scale, int32_t zero_point) {
  using I = typename F::Int;
  constexpr int32_t kLowest = T(-1) < T(0) ? INT8_MIN : 0, kHighest = T(-1) < T(0) ? INT8_MAX : UINT8_MAX;
  const F low = F::Broadcast(static_cast<float>(kLowest - zero_point)),
          high = F::Broadcast(static_cast<float>(kHighest - zero_point));
  const I q = RoundToIntInRange(Min(Max(v / F::Broadcast(scale), low), high)) + I::Broadcast(zero_point);
  if constexpr (kWhole) {
    q.Store(y);
  } else {
    T elements[kLoopLanes<F>];
    q.Store(elements);
    __builtin_memcpy(y, elements, n);
  }
}

// Calls a function of arrays, such as those of the C library.
template <typename F, typename Op, typename Function>
inline F LoopCall(Function* function, const Op& op, F v) {
  float lanes[kLoopLanes<F>];
  v.Store(lanes);
  function(op, lanes, lanes, kLoopLanes<F>);
  return F::Load(lanes);
}
template <typename F, typename Kind, typename Function>
inline F LoopCall(Function* function, Kind kind, F a, F b) {
  float x[kLoopLanes<F>], y[kLoopLanes<F>];
  a.Store(x);
  b.Store(y);
  function(kind, x, 1, y, 1, x, kLoopLanes<F>);
  return F::Load(x);
}

// Runs Loop::Elements for n elements.
template <typename F, typename Loop>
inline void RunLoop(const Loop& loop, size_t n) {
  size_t i = 0;
  for (; i + kLoopLanes<F> <= n; i += kLoopLanes<F>) loop.template Elements<true>(i, kLoopLanes<F>);
  if (i < n) loop.template Elements<false>(i, n - i);
}

}  // namespace micrort
