// Pairs of int16 by int8 (SMLAD): bytes become int16 two at a time (SXTB16), the even ones of a word, then
// the odd ones; pairs of int16 are put into the same order, once for four columns.

#include "arm/dsp/dsp_math.h"
#include "kernels/layer_s16/dot_s16.h"

namespace micrort {

namespace {

constexpr size_t kQuad = 4, kColumns = 4;
// So many products fit into 32 bits.
constexpr size_t kShortSum = 127 * kQuad;

struct Pairs {
  int32_t even, odd;
};

inline int32_t Word(const int16_t* p) {
  int32_t word;
  __builtin_memcpy(&word, p, sizeof word);
  return word;
}

// Splits four elements into the pairs that SMLAD multiplies: elements 0 and 2, and elements 1 and 3.
inline Pairs EvenAndOdd(const int16_t* x) {
  const int32_t first = Word(x), second = Word(x + 2);
  Pairs pairs;
  asm("pkhbt %0, %1, %2, lsl #16" : "=r"(pairs.even) : "r"(first), "r"(second));
  asm("pkhtb %0, %1, %2, asr #16" : "=r"(pairs.odd) : "r"(second), "r"(first));
  return pairs;
}

inline void AddQuad(const Pairs& x, const int8_t* w, int32_t* sum) {
  const int32_t bytes = Word(w);
  MulAddPairs(x.even, Even(bytes), sum);
  MulAddPairs(x.odd, Odd(bytes), sum);
}

// Whole quads of n <= kShortSum elements, of four columns. All that the loop needs is in registers: columns
// are told by distances, and nothing of the caller is kept.
[[gnu::noinline]] void AddQuads(const int16_t* x, const int8_t* w, size_t stride, size_t n, int64_t* acc) {
  int32_t sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
  const size_t thrice = 3 * stride;
#pragma GCC unroll 1
  for (const int16_t* const end = x + n; x != end; x += kQuad, w += kQuad) {
    const Pairs pairs = EvenAndOdd(x);
    AddQuad(pairs, w, &sum0);
    AddQuad(pairs, w + stride, &sum1);
    AddQuad(pairs, w + 2 * stride, &sum2);
    AddQuad(pairs, w + thrice, &sum3);
  }
  acc[0] += sum0, acc[1] += sum1, acc[2] += sum2, acc[3] += sum3;
}

// Adds the products of one column, element by element.
void AddColumn(const int16_t* x, const int8_t* w, size_t n, int64_t* acc) {
  int64_t sum = *acc;
  for (size_t k = 0; k < n; ++k) sum += x[k] * w[k];
  *acc = sum;
}

// The last elements, which are no quad, of all columns: as few as a row of a filter over one channel has.
template <size_t kCount>
void AddRest(const int16_t* x, const int8_t* w, size_t stride, size_t columns, int64_t* acc) {
  int32_t elements[kCount];
  for (size_t k = 0; k < kCount; ++k) elements[k] = x[k];
  for (size_t j = 0; j < columns; ++j, w += stride) {
    int32_t sum = 0;
    for (size_t k = 0; k < kCount; ++k) sum += elements[k] * w[k];
    acc[j] += sum;
  }
}

// sum += one half of x times one half of y, in 64 bits.
#define MICRORT_DSP_MUL_ADD_LONG(halves, instruction)                   \
  inline void MulAddLong##halves(int32_t x, int32_t y, int64_t* sum) {  \
    asm(instruction " %Q0, %R0, %1, %2" : "+r"(*sum) : "r"(x), "r"(y)); \
  }
MICRORT_DSP_MUL_ADD_LONG(BB, "smlalbb")
MICRORT_DSP_MUL_ADD_LONG(BT, "smlalbt")
MICRORT_DSP_MUL_ADD_LONG(TB, "smlaltb")
MICRORT_DSP_MUL_ADD_LONG(TT, "smlaltt")
#undef MICRORT_DSP_MUL_ADD_LONG

}  // namespace

void DotS16_dsp(const int16_t* x, const int8_t* w, size_t stride, size_t depth, size_t columns,
                int64_t* acc) {
  const size_t whole = depth / kQuad * kQuad, together = whole == 0 ? 0 : columns / kColumns * kColumns;
  for (size_t j = 0; j < together; j += kColumns) {
    for (size_t k = 0; k < whole; k += kShortSum) {
      AddQuads(x + k, w + j * stride + k, stride, whole - k < kShortSum ? whole - k : kShortSum, acc + j);
    }
  }
  for (size_t j = together; whole != 0 && j < columns; ++j) AddColumn(x, w + j * stride, whole, acc + j);
  switch (depth - whole) {
    case 1:
      return AddRest<1>(x + whole, w + whole, stride, columns, acc);
    case 2:
      return AddRest<2>(x + whole, w + whole, stride, columns, acc);
    case 3:
      return AddRest<3>(x + whole, w + whole, stride, columns, acc);
    default:
      return;
  }
}

void ScaleS16_dsp(const int16_t* x, const int8_t* w, size_t n, int64_t* acc) {
  size_t j = 0;
  for (; j + kQuad <= n; j += kQuad, acc += kQuad) {
    const int32_t first = Word(x + j), second = Word(x + j + 2), bytes = Word(w + j);
    const int32_t even = Even(bytes), odd = Odd(bytes);
    MulAddLongBB(first, even, acc);
    MulAddLongTB(first, odd, acc + 1);
    MulAddLongBT(second, even, acc + 2);
    MulAddLongTT(second, odd, acc + 3);
  }
  for (; j < n; ++j, ++acc) *acc += x[j] * w[j];
}

}  // namespace micrort
