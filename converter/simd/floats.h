#pragma once
// Four floats in a register, for loops that compilers do not see through. Each lane gives the bits that a
// float would.

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace micrort::simd {

constexpr size_t kFloats = 4;
using Floats = float __attribute__((vector_size(kFloats * sizeof(float))));
using Integers = int32_t __attribute__((vector_size(kFloats * sizeof(int32_t))));

inline Floats Load(const float* x) {
  Floats v;
  std::memcpy(&v, x, sizeof v);
  return v;
}
inline void Store(Floats v, float* x) { std::memcpy(x, &v, sizeof v); }
inline void Store(Integers v, int32_t* x) { std::memcpy(x, &v, sizeof v); }
inline Floats Broadcast(float x) { return Floats{x, x, x, x}; }

// As std::min(a, b) and std::max(a, b): a where one is no number.
inline Floats Min(Floats a, Floats b) { return b < a ? b : a; }
inline Floats Max(Floats a, Floats b) { return a < b ? b : a; }

inline Floats Abs(Floats v) {
  Integers bits;
  std::memcpy(&bits, &v, sizeof bits);
  bits &= INT32_MAX;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

// Half to even, as nearbyint, of numbers below 2^22.
inline Floats Round(Floats v) {
  const Floats integers = Broadcast(3 << 22);
  return (v + integers) - integers;
}

}  // namespace micrort::simd
