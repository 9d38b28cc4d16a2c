#pragma once
// Loads and stores by one instruction, which compilers do not find on ARMv7.

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

namespace micrort {
namespace {

// Two vectors side by side, and on to the next.
inline __attribute__((always_inline)) float32x4x2_t LoadPair(const float** p) {
  struct Pair {
    float x[8];
  };
  float32x4x2_t v;
  __asm__("vld1.32 %h0, [%1]!" : "=w"(v), "+r"(*p) : "m"(*reinterpret_cast<const Pair*>(*p)));
  return v;
}
inline __attribute__((always_inline)) int8x16x2_t LoadPair(const int8_t** p) {
  struct Pair {
    int8_t x[32];
  };
  int8x16x2_t v;
  __asm__("vld1.8 %h0, [%1]!" : "=w"(v), "+r"(*p) : "m"(*reinterpret_cast<const Pair*>(*p)));
  return v;
}

// A vector, and on by so many bytes.
inline __attribute__((always_inline)) float32x4_t LoadAndStep(const float** p, ptrdiff_t bytes) {
  struct Four {
    float x[4];
  };
  float32x4_t v;
  __asm__("vld1.32 {%e0, %f0}, [%1], %2"
          : "=w"(v), "+r"(*p)
          : "r"(bytes), "m"(*reinterpret_cast<const Four*>(*p)));
  return v;
}

// At p, which moves on by so many bytes.
inline __attribute__((always_inline)) void StorePair(float32x4x2_t v, float** p, size_t bytes) {
  struct Pair {
    float x[8];
  };
  __asm__("vst1.32 %h2, [%0], %3" : "+r"(*p), "=m"(*reinterpret_cast<Pair*>(*p)) : "w"(v), "r"(bytes));
}

}  // namespace
}  // namespace micrort
