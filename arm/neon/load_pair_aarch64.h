#pragma once
// Two vectors by one instruction, which compilers do not always find.

#include <arm_neon.h>

#include <cstddef>

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

// One vector, and on by so many bytes.
template <typename T, typename Vector>
inline __attribute__((always_inline)) void LoadAndStep(const T** p, ptrdiff_t bytes, Vector* x) {
  struct One {
    T x[16 / sizeof(T)];
  };
  __asm__("ld1 {%0.16b}, [%1], %2" : "=w"(*x), "+r"(*p) : "r"(bytes), "m"(*reinterpret_cast<const One*>(*p)));
}

// Also moves on by so many bytes. The instruction takes neighbouring registers.
template <typename T, typename Vector>
inline __attribute__((always_inline)) void LoadTwoAndStep(const T** p, ptrdiff_t bytes, Vector* x,
                                                          Vector* y) {
  struct Pair {
    T x[32 / sizeof(T)];
  };
  register Vector first __asm__("v30");
  register Vector second __asm__("v31");
  __asm__("ld1 {v30.16b, v31.16b}, [%2], %3"
          : "=w"(first), "=w"(second), "+r"(*p)
          : "r"(bytes), "m"(*reinterpret_cast<const Pair*>(*p)));
  *x = first;
  *y = second;
}

// Also moves on by kStep bytes.
template <int kStep, typename T, typename Vector>
inline __attribute__((always_inline)) void StorePair(T** p, Vector x, Vector y) {
  struct Pair {
    T x[32 / sizeof(T)];
  };
  __asm__("stp %q2, %q3, [%1], %4"
          : "=m"(*reinterpret_cast<Pair*>(*p)), "+r"(*p)
          : "w"(x), "w"(y), "i"(kStep));
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
