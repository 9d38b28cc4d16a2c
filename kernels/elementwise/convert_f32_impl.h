#pragma once
// Conversions over a vector type F of eight lanes (kernels/base/simd/vec8.h).

#include <cstddef>

#include "kernels/base/simd/vec8.h"
#include "kernels/elementwise/convert_f32.h"

namespace micrort {

// Calls f(x, y) for every eight elements; the tail goes through padded copies.
template <typename F, typename From, typename To, typename Function>
inline void ConvertVectors(const From* x, To* y, size_t n, Function f) {
  size_t i = 0;
  for (; i + 8 <= n; i += 8) f(x + i, y + i);
  if (i == n) return;
  From from[8] = {};
  To to[8];
  __builtin_memcpy(from, x + i, (n - i) * sizeof(From));
  f(from, to);
  __builtin_memcpy(y + i, to, (n - i) * sizeof(To));
}

// Clamping before rounding is the same as saturating after it, and keeps the integers in range.
template <typename F, typename T>
inline void QuantizeVectors(const float* x, T* y, size_t n, QuantizationParams q, int lowest, int highest) {
  using I = typename F::Int;
  const F scale = F::Broadcast(q.scale);
  const F low = F::Broadcast(static_cast<float>(lowest - q.zero_point));
  const F high = F::Broadcast(static_cast<float>(highest - q.zero_point));
  const I zero_point = I::Broadcast(q.zero_point);
  ConvertVectors<F>(x, y, n, [=](const float* from, T* to) {
    const F v = Min(Max(F::Load(from) / scale, low), high);
    (RoundToIntInRange(v) + zero_point).Store(to);
  });
}

template <typename F>
inline F RoundHalfAway(F x) {
  const F whole = Trunc(x);
  const F one_where_farther = Select(Less(Abs(x - whole), F::Broadcast(0.5f)), F::Zero(), F::Broadcast(1));
  return whole + CopySign(one_where_farther, x);
}

template <typename F>
inline void QuantizeHalfAway(const float* x, int16_t* y, size_t n, QuantizationParams q) {
  using I = typename F::Int;
  const F scale = F::Broadcast(q.scale);
  const F low = F::Broadcast(static_cast<float>(INT16_MIN - q.zero_point));
  const F high = F::Broadcast(static_cast<float>(INT16_MAX - q.zero_point));
  const I zero_point = I::Broadcast(q.zero_point);
  ConvertVectors<F>(x, y, n, [=](const float* from, int16_t* to) {
    const F v = RoundHalfAway(Min(Max(F::Load(from) / scale, low), high));
    (RoundToIntInRange(v) + zero_point).Store(to);
  });
}

template <typename F, typename T>
inline void DequantizeVectors(const T* x, float* y, size_t n, QuantizationParams q) {
  using I = typename F::Int;
  const F scale = F::Broadcast(q.scale);
  const I zero_point = I::Broadcast(q.zero_point);
  ConvertVectors<F>(
      x, y, n, [=](const T* from, float* to) { (ToFloat(I::Load(from) - zero_point) * scale).Store(to); });
}

template <typename F>
inline void FromHalfVectors(const uint16_t* x, float* y, size_t n) {
  ConvertVectors<F>(x, y, n, [](const uint16_t* from, float* to) { F::LoadHalf(from).Store(to); });
}

template <typename F>
inline void ToHalfVectors(const float* x, uint16_t* y, size_t n) {
  ConvertVectors<F>(x, y, n, [](const float* from, uint16_t* to) { F::Load(from).StoreHalf(to); });
}

// Defines the functions of one row over the F32x8 that the file has included.
#define MICRORT_DEFINE_CONVERT_F32(name)                                                           \
  void QuantizeS8_##name(const float* x, int8_t* y, size_t n, QuantizationParams q) {              \
    QuantizeVectors<F32x8>(x, y, n, q, INT8_MIN, INT8_MAX);                                        \
  }                                                                                                \
  void QuantizeU8_##name(const float* x, uint8_t* y, size_t n, QuantizationParams q) {             \
    QuantizeVectors<F32x8>(x, y, n, q, 0, UINT8_MAX);                                              \
  }                                                                                                \
  void QuantizeS16_##name(const float* x, int16_t* y, size_t n, QuantizationParams q) {            \
    QuantizeHalfAway<F32x8>(x, y, n, q);                                                           \
  }                                                                                                \
  void DequantizeS8_##name(const int8_t* x, float* y, size_t n, QuantizationParams q) {            \
    DequantizeVectors<F32x8>(x, y, n, q);                                                          \
  }                                                                                                \
  void DequantizeU8_##name(const uint8_t* x, float* y, size_t n, QuantizationParams q) {           \
    DequantizeVectors<F32x8>(x, y, n, q);                                                          \
  }                                                                                                \
  void DequantizeS32_##name(const int32_t* x, float* y, size_t n, QuantizationParams q) {          \
    DequantizeVectors<F32x8>(x, y, n, q);                                                          \
  }                                                                                                \
  void FromHalf_##name(const uint16_t* x, float* y, size_t n) { FromHalfVectors<F32x8>(x, y, n); } \
  void ToHalf_##name(const float* x, uint16_t* y, size_t n) { ToHalfVectors<F32x8>(x, y, n); }

}  // namespace micrort
