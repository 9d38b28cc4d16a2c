#pragma once
// Two vectors by one instruction, which compilers do not always find.

#include <arm_neon.h>

namespace micrort {
namespace {

// Also moves on by kStep bytes. Vector: float32x4_t or int8x16_t.
template <int kStep, typename T, typename Vector>
inline __attribute__((always_inline)) void LoadPair(const T** p, Vector* x, Vector* y) {
  struct Pair {
    T x[32 / sizeof(T)];
  };
  __asm__("ldp %q0, %q1, [%2], %4"
          : "=w"(*x), "=w"(*y), "+r"(*p)
          : "m"(*reinterpret_cast<const Pair*>(*p)), "i"(kStep));
}

template <typename T, typename Vector>
inline __attribute__((always_inline)) void LoadPairAt(const T* p, Vector* x, Vector* y) {
  struct Pair {
    T x[32 / sizeof(T)];
  };
  __asm__("ldp %q0, %q1, [%2]" : "=w"(*x), "=w"(*y) : "r"(p), "m"(*reinterpret_cast<const Pair*>(p)));
}

template <typename T, typename Vector>
inline __attribute__((always_inline)) void StorePairAt(T* p, Vector x, Vector y) {
  struct Pair {
    T x[32 / sizeof(T)];
  };
  __asm__("stp %q1, %q2, [%3]" : "=m"(*reinterpret_cast<Pair*>(p)) : "w"(x), "w"(y), "r"(p));
}

}  // namespace
}  // namespace micrort
