#pragma once
// Loads and stores by one instruction, which GCC does not find on ARMv7. Clang takes no pair as an operand of
// assembly, and its intrinsics for pairs expect aligned memory: there each vector is by itself.

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

namespace micrort {
namespace {

// Two vectors side by side, and on to the next.
#ifdef __clang__
inline __attribute__((always_inline)) float32x4x2_t LoadPair(const float** p) {
  const float32x4x2_t v = {{vld1q_f32(*p), vld1q_f32(*p + 4)}};
  *p += 8;
  return v;
}
inline __attribute__((always_inline)) int8x16x2_t LoadPair(const int8_t** p) {
  const int8x16x2_t v = {{vld1q_s8(*p), vld1q_s8(*p + 16)}};
  *p += 32;
  return v;
}
#else
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
#endif

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
#ifdef __clang__
  vst1q_f32(*p, v.val[0]);
  vst1q_f32(*p + 4, v.val[1]);
  *p += bytes / sizeof(float);
#else
  struct Pair {
    float x[8];
  };
  __asm__("vst1.32 %h2, [%0], %3" : "+r"(*p), "=m"(*reinterpret_cast<Pair*>(*p)) : "w"(v), "r"(bytes));
#endif
}

}  // namespace
}  // namespace micrort
