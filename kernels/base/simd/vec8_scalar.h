#pragma once
// F32x8 and S32x8 as arrays, for any CPU. See vec8.h for the contract.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/base/fixed_point.h"
#include "kernels/base/half.h"
#include "kernels/base/simd/vec8.h"

namespace micrort {
namespace {

// Calls f(i) for every lane and collects the results into an R.
template <typename R, typename Function>
inline R MapLanes(Function f) {
  R r;
  for (int i = 0; i < 8; ++i) r.lane[i] = f(i);
  return r;
}

struct S32x8 {
  using Shift = S32x8;
  int32_t lane[8];

  static S32x8 Zero() { return Broadcast(0); }
  static S32x8 Broadcast(int32_t x) {
    return MapLanes<S32x8>([=](int) { return x; });
  }
  template <typename T>
  static S32x8 Load(const T* p) {
    return MapLanes<S32x8>([=](int i) { return static_cast<int32_t>(p[i]); });
  }
  template <typename T>
  static S32x8 LoadPartial(const T* p, size_t n) {
    S32x8 r = Zero();
    for (size_t i = 0; i < n; ++i) r.lane[i] = p[i];
    return r;
  }
  void Store(int32_t* p) const { StorePartial(p, 8); }
  void Store(int16_t* p) const { StorePartial(p, 8); }
  void Store(int8_t* p) const { StorePartial(p, 8); }
  void Store(uint8_t* p) const { StorePartial(p, 8); }
  void StorePartial(int32_t* p, size_t n) const {
    for (size_t i = 0; i < n; ++i) p[i] = lane[i];
  }
  void StorePartial(int16_t* p, size_t n) const {
    for (size_t i = 0; i < n; ++i) p[i] = static_cast<int16_t>(Saturate(lane[i], INT16_MIN, INT16_MAX));
  }
  void StorePartial(int8_t* p, size_t n) const {
    for (size_t i = 0; i < n; ++i) p[i] = static_cast<int8_t>(Saturate(lane[i], INT8_MIN, INT8_MAX));
  }
  void StorePartial(uint8_t* p, size_t n) const {
    for (size_t i = 0; i < n; ++i) p[i] = static_cast<uint8_t>(Saturate(lane[i], 0, UINT8_MAX));
  }

 private:
  static int32_t Saturate(int32_t x, int32_t low, int32_t high) {
    return x < low ? low : x > high ? high : x;
  }
};

struct F32x8 {
  using Int = S32x8;
  float lane[8];

  static F32x8 Zero() { return Broadcast(0.0f); }
  static F32x8 Broadcast(float x) {
    return MapLanes<F32x8>([=](int) { return x; });
  }
  static F32x8 Load(const float* p) {
    return MapLanes<F32x8>([=](int i) { return p[i]; });
  }
  static F32x8 LoadPartial(const float* p, size_t n) {
    F32x8 r = Zero();
    for (size_t i = 0; i < n; ++i) r.lane[i] = p[i];
    return r;
  }
  static F32x8 LoadHalf(const uint16_t* p) {
    return MapLanes<F32x8>([=](int i) { return HalfToFloat(p[i]); });
  }
  void Store(float* p) const { StorePartial(p, 8); }
  void StorePartial(float* p, size_t n) const {
    for (size_t i = 0; i < n; ++i) p[i] = lane[i];
  }
  void StoreHalf(uint16_t* p) const {
    for (int i = 0; i < 8; ++i) p[i] = FloatToHalf(lane[i]);
  }
};

inline int32_t MaskLane(bool b) { return b ? -1 : 0; }
// Signed overflow is undefined in C++; unsigned wraps.
inline int32_t Wrap(uint32_t x) { return static_cast<int32_t>(x); }
inline uint32_t Unsigned(int32_t x) { return static_cast<uint32_t>(x); }

inline S32x8 operator+(const S32x8& a, const S32x8& b) {
  return MapLanes<S32x8>([&](int i) { return Wrap(Unsigned(a.lane[i]) + Unsigned(b.lane[i])); });
}
inline S32x8 operator-(const S32x8& a, const S32x8& b) {
  return MapLanes<S32x8>([&](int i) { return Wrap(Unsigned(a.lane[i]) - Unsigned(b.lane[i])); });
}
inline S32x8 operator*(const S32x8& a, const S32x8& b) {
  return MapLanes<S32x8>([&](int i) { return Wrap(Unsigned(a.lane[i]) * Unsigned(b.lane[i])); });
}
inline S32x8 operator&(const S32x8& a, const S32x8& b) {
  return MapLanes<S32x8>([&](int i) { return a.lane[i] & b.lane[i]; });
}
inline S32x8 operator|(const S32x8& a, const S32x8& b) {
  return MapLanes<S32x8>([&](int i) { return a.lane[i] | b.lane[i]; });
}
inline S32x8 operator^(const S32x8& a, const S32x8& b) {
  return MapLanes<S32x8>([&](int i) { return a.lane[i] ^ b.lane[i]; });
}
inline S32x8 operator~(const S32x8& a) {
  return MapLanes<S32x8>([&](int i) { return ~a.lane[i]; });
}
inline S32x8 Min(const S32x8& a, const S32x8& b) {
  return MapLanes<S32x8>([&](int i) { return a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]; });
}
inline S32x8 Max(const S32x8& a, const S32x8& b) {
  return MapLanes<S32x8>([&](int i) { return a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]; });
}
inline S32x8 ShiftLeft(const S32x8& a, int n) {
  return MapLanes<S32x8>([&](int i) { return Wrap(Unsigned(a.lane[i]) << n); });
}
inline S32x8 ShiftRight(const S32x8& a, int n) {
  return MapLanes<S32x8>([&](int i) { return a.lane[i] >> n; });
}
inline S32x8 ShiftLeft(const S32x8& a, const S32x8& n) {
  return MapLanes<S32x8>([&](int i) { return Wrap(Unsigned(a.lane[i]) << n.lane[i]); });
}
inline S32x8 ShiftRight(const S32x8& a, const S32x8& n) {
  return MapLanes<S32x8>([&](int i) { return a.lane[i] >> n.lane[i]; });
}
inline S32x8 DoublingHighMul(const S32x8& a, const S32x8& b) {
  return MapLanes<S32x8>([&](int i) { return micrort::DoublingHighMul(a.lane[i], b.lane[i]); });
}
inline S32x8 Less(const S32x8& a, const S32x8& b) {
  return MapLanes<S32x8>([&](int i) { return MaskLane(a.lane[i] < b.lane[i]); });
}
inline S32x8 Equal(const S32x8& a, const S32x8& b) {
  return MapLanes<S32x8>([&](int i) { return MaskLane(a.lane[i] == b.lane[i]); });
}
inline F32x8 ToFloat(const S32x8& a) {
  return MapLanes<F32x8>([&](int i) { return static_cast<float>(a.lane[i]); });
}
inline F32x8 AsFloat(const S32x8& a) {
  return MapLanes<F32x8>([&](int i) { return BitsToFloat(Unsigned(a.lane[i])); });
}
inline S32x8 Select(const S32x8& mask, const S32x8& a, const S32x8& b) {
  return MapLanes<S32x8>([&](int i) { return mask.lane[i] ? a.lane[i] : b.lane[i]; });
}
inline bool AnyTrue(const S32x8& mask) {
  int32_t any = 0;
  for (int i = 0; i < 8; ++i) any |= mask.lane[i];
  return any != 0;
}

inline F32x8 operator+(const F32x8& a, const F32x8& b) {
  return MapLanes<F32x8>([&](int i) { return a.lane[i] + b.lane[i]; });
}
inline F32x8 operator-(const F32x8& a, const F32x8& b) {
  return MapLanes<F32x8>([&](int i) { return a.lane[i] - b.lane[i]; });
}
inline F32x8 operator*(const F32x8& a, const F32x8& b) {
  return MapLanes<F32x8>([&](int i) { return a.lane[i] * b.lane[i]; });
}
inline F32x8 operator/(const F32x8& a, const F32x8& b) {
  return MapLanes<F32x8>([&](int i) { return a.lane[i] / b.lane[i]; });
}
inline F32x8 operator-(const F32x8& a) {
  return MapLanes<F32x8>([&](int i) { return -a.lane[i]; });
}
inline F32x8 Min(const F32x8& a, const F32x8& b) {
  return MapLanes<F32x8>([&](int i) { return a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]; });
}
inline F32x8 Max(const F32x8& a, const F32x8& b) {
  return MapLanes<F32x8>([&](int i) { return a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]; });
}
inline F32x8 Fma(const F32x8& a, const F32x8& b, const F32x8& c) { return a * b + c; }
inline F32x8 Sqrt(const F32x8& a) {
  return MapLanes<F32x8>([&](int i) { return std::sqrt(a.lane[i]); });
}
inline F32x8 Abs(const F32x8& a) {
  return MapLanes<F32x8>([&](int i) { return std::fabs(a.lane[i]); });
}
inline S32x8 Less(const F32x8& a, const F32x8& b) {
  return MapLanes<S32x8>([&](int i) { return MaskLane(a.lane[i] < b.lane[i]); });
}
inline S32x8 LessEqual(const F32x8& a, const F32x8& b) {
  return MapLanes<S32x8>([&](int i) { return MaskLane(a.lane[i] <= b.lane[i]); });
}
inline S32x8 Equal(const F32x8& a, const F32x8& b) {
  return MapLanes<S32x8>([&](int i) { return MaskLane(a.lane[i] == b.lane[i]); });
}
inline S32x8 NotEqual(const F32x8& a, const F32x8& b) {
  return MapLanes<S32x8>([&](int i) { return MaskLane(a.lane[i] != b.lane[i]); });
}
inline S32x8 AsInt(const F32x8& a) {
  return MapLanes<S32x8>([&](int i) { return Wrap(FloatToBits(a.lane[i])); });
}
inline F32x8 Select(const S32x8& mask, const F32x8& a, const F32x8& b) {
  return MapLanes<F32x8>([&](int i) { return mask.lane[i] ? a.lane[i] : b.lane[i]; });
}

// Lane by lane, as vec8.h emulates them: whole vectors between would be on the stack.
inline float RoundEvenOf(float x) {
  const float magnitude = __builtin_fabsf(x);
  return magnitude < 0x1p23f ? __builtin_copysignf((magnitude + 0x1p23f) - 0x1p23f, x) : x;
}
inline float FloorOf(float x) {
  const float rounded = RoundEvenOf(x);
  return __builtin_copysignf(rounded - (x < rounded ? 1.0f : 0.0f), x);
}
inline F32x8 RoundEven(const F32x8& a) {
  return MapLanes<F32x8>([&](int i) { return RoundEvenOf(a.lane[i]); });
}
inline F32x8 Floor(const F32x8& a) {
  return MapLanes<F32x8>([&](int i) { return FloorOf(a.lane[i]); });
}
inline F32x8 Ceil(const F32x8& a) {
  return MapLanes<F32x8>([&](int i) { return -FloorOf(-a.lane[i]); });
}
inline F32x8 Trunc(const F32x8& a) {
  return MapLanes<F32x8>(
      [&](int i) { return __builtin_copysignf(FloorOf(__builtin_fabsf(a.lane[i])), a.lane[i]); });
}
inline S32x8 RoundToInt(const F32x8& a) {
  return MapLanes<S32x8>([&](int i) {
    const float r = RoundEvenOf(a.lane[i]);
    if (!(r >= -0x1p31f)) return r < 0 ? INT32_MIN : 0;
    return r >= 0x1p31f ? INT32_MAX : static_cast<int32_t>(r);
  });
}
inline S32x8 RoundToIntInRange(const F32x8& a) { return RoundToInt(a); }

// The shared tree of horizontal reductions.
template <typename Combine>
inline float ReduceTree(const F32x8& a, Combine f) {
  const float* x = a.lane;
  return f(f(f(x[0], x[4]), f(x[2], x[6])), f(f(x[1], x[5]), f(x[3], x[7])));
}
inline float ReduceAdd(const F32x8& a) {
  return ReduceTree(a, [](float x, float y) { return x + y; });
}
inline void ReduceAdd(const F32x8& a, const F32x8& b, const F32x8& c, const F32x8& d, float* y) {
  y[0] = ReduceAdd(a);
  y[1] = ReduceAdd(b);
  y[2] = ReduceAdd(c);
  y[3] = ReduceAdd(d);
}
inline float ReduceMin(const F32x8& a) {
  return ReduceTree(a, [](float x, float y) { return x < y ? x : y; });
}
inline float ReduceMax(const F32x8& a) {
  return ReduceTree(a, [](float x, float y) { return x > y ? x : y; });
}

}  // namespace
}  // namespace micrort
