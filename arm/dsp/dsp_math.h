#pragma once
// Instructions of the DSP extension on 32-bit registers that hold four bytes or two int16.

#include "kernels/gemm/gemm_s8.h"

namespace micrort {

namespace {

inline int32_t Word(const int8_t* p) {
  int32_t word;
  __builtin_memcpy(&word, p, sizeof word);
  return word;
}

// Two words from aligned memory, and on to the next ones.
template <size_t kStep, typename T>
inline void LoadNext(const T** p, int32_t* first, int32_t* second) {
  asm volatile("ldrd %0, %1, [%2], %3" : "=&r"(*first), "=&r"(*second), "+r"(*p) : "n"(kStep) : "memory");
}

// Bytes 0 and 2, and 1 and 3, as int16.
inline int32_t Even(int32_t bytes) {
  int32_t pair;
  asm("sxtb16 %0, %1" : "=r"(pair) : "r"(bytes));
  return pair;
}
inline int32_t Odd(int32_t bytes) {
  int32_t pair;
  asm("sxtb16 %0, %1, ror #8" : "=r"(pair) : "r"(bytes));
  return pair;
}
// sum += x.low * y.low + x.high * y.high
inline void MulAddPairs(int32_t x, int32_t y, int32_t* sum) {
  asm("smlad %0, %1, %2, %0" : "+r"(*sum) : "r"(x), "r"(y));
}

// sum += one half of x times one half of y, by their names: B is the low one, T the high one.
#define MICRORT_DSP_MUL_ADD(halves, instruction)                      \
  inline void MulAdd##halves(int32_t x, int32_t y, int32_t* sum) {    \
    asm(instruction " %0, %1, %2, %0" : "+r"(*sum) : "r"(x), "r"(y)); \
  }
MICRORT_DSP_MUL_ADD(BB, "smlabb")
MICRORT_DSP_MUL_ADD(BT, "smlabt")
MICRORT_DSP_MUL_ADD(TB, "smlatb")
MICRORT_DSP_MUL_ADD(TT, "smlatt")
#undef MICRORT_DSP_MUL_ADD

// The nearest of int8.
inline int8_t Saturated8(int32_t v) {
  int32_t saturated;
  asm("ssat %0, #8, %1" : "=r"(saturated) : "r"(v));
  return static_cast<int8_t>(saturated);
}

// The processor rounds halves to even, and takes what is out of range for the next int32.
inline int32_t Rounded(float v) {
  float bits;
  int32_t rounded;
  asm("vcvtr.s32.f32 %0, %1" : "=t"(bits) : "t"(v));
  __builtin_memcpy(&rounded, &bits, sizeof rounded);
  return rounded;
}

// An output of a column, from its sum.
inline int8_t Quantized(const GemmS8Output& o, int32_t sum, size_t column) {
  const auto biased =
      static_cast<int32_t>(static_cast<uint32_t>(sum) + static_cast<uint32_t>(o.bias[column]));
  const int32_t v = Rounded(static_cast<float>(biased) * o.multipliers[column]);
  const int32_t lo = o.lo - o.zero_point, hi = o.hi - o.zero_point;
  return static_cast<int8_t>((v < lo ? lo : v > hi ? hi : v) + o.zero_point);
}

}  // namespace

}  // namespace micrort
