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

// Four elements of two rows.
struct PairQuad {
  Pairs first, second;
};
// So much of the depth is split at a time, in 384 bytes of stack.
constexpr size_t kMaxPairQuads = 24;

void SplitRows(const int16_t* row0, const int16_t* row1, size_t quads, PairQuad* out) {
#pragma GCC unroll 1
  for (size_t i = 0; i < quads; ++i, row0 += kQuad, row1 += kQuad)
    out[i] = {EvenAndOdd(row0), EvenAndOdd(row1)};
}

// Sums of two rows and two columns.
struct PairSums {
  int32_t s00 = 0, s01 = 0, s10 = 0, s11 = 0;

  inline void AddQuad(const PairQuad** a, const int8_t** w0, const int8_t** w1) {
    int32_t even0, odd0, even1, odd1;
    LoadNext<8>(a, &even0, &odd0);
    LoadNext<8>(a, &even1, &odd1);
    const int32_t bytes0 = Word(*w0), bytes1 = Word(*w1);
    *w0 += kQuad, *w1 += kQuad;
    const int32_t even_w0 = Even(bytes0), odd_w0 = Odd(bytes0);
    MulAddPairs(even0, even_w0, &s00);
    MulAddPairs(even1, even_w0, &s10);
    MulAddPairs(odd0, odd_w0, &s00);
    MulAddPairs(odd1, odd_w0, &s10);
    const int32_t even_w1 = Even(bytes1), odd_w1 = Odd(bytes1);
    MulAddPairs(even0, even_w1, &s01);
    MulAddPairs(even1, even_w1, &s11);
    MulAddPairs(odd0, odd_w1, &s01);
    MulAddPairs(odd1, odd_w1, &s11);
  }
};

inline void Add(int32_t sum, bool is_first, int64_t* acc) { *acc = is_first ? sum : *acc + sum; }

inline PairSums SumPart(const PairQuad* a, size_t quads, const int8_t* w0, const int8_t* w1) {
  PairSums sums;
  const PairQuad* const end = a + quads / 2 * 2;
  while (a != end) {
    sums.AddQuad(&a, &w0, &w1);
    sums.AddQuad(&a, &w0, &w1);
  }
  if (quads % 2 != 0) sums.AddQuad(&a, &w0, &w1);
  return sums;
}

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

void DotPairS16_dsp(const DotPairS16& rows) {
  const size_t quads = rows.depth / kQuad, stride = rows.stride, columns = rows.columns;
  int64_t *const acc0 = rows.acc[0], *const acc1 = rows.acc[1];
  bool is_first = rows.is_first;
  for (size_t part = 0; part < quads; part += kMaxPairQuads) {
    const size_t n = quads - part < kMaxPairQuads ? quads - part : kMaxPairQuads;
    PairQuad split[kMaxPairQuads];
    SplitRows(rows.x[0] + part * kQuad, rows.x[1] + part * kQuad, n, split);
    const int8_t* w = rows.w + part * kQuad;
    for (size_t j = 0; j < columns; j += 2, w += 2 * stride) {
      // The last column of an odd number is computed twice.
      const bool has_next = j + 1 < columns;
      const PairSums sums = SumPart(split, n, w, has_next ? w + stride : w);
      Add(sums.s00, is_first, acc0 + j);
      Add(sums.s10, is_first, acc1 + j);
      if (!has_next) continue;
      Add(sums.s01, is_first, acc0 + j + 1);
      Add(sums.s11, is_first, acc1 + j + 1);
    }
    is_first = false;
  }
  const size_t whole = quads * kQuad;
  if (whole == rows.depth) return;
  for (size_t r = 0; r < 2; ++r) {
    for (size_t j = 0; is_first && j < columns; ++j) rows.acc[r][j] = 0;
    DotS16_dsp(rows.x[r] + whole, rows.w + whole, stride, rows.depth - whole, columns, rows.acc[r]);
  }
}

void TapsS16_dsp(const TapS16* taps, size_t count, size_t n, int64_t* acc) {
  const TapS16* const end = taps + count;
  size_t j = 0;
  for (; j + kQuad <= n; j += kQuad) {
    int32_t sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
#pragma GCC unroll 1
    for (const TapS16* tap = taps; tap != end; ++tap) {
      const int16_t* const x = tap->x + j;
      const int32_t first = Word(x), second = Word(x + 2), bytes = Word(tap->w + j);
      const int32_t even = Even(bytes), odd = Odd(bytes);
      MulAddBB(first, even, &sum0);
      MulAddTB(first, odd, &sum1);
      MulAddBT(second, even, &sum2);
      MulAddTT(second, odd, &sum3);
    }
    acc[j] += sum0, acc[j + 1] += sum1, acc[j + 2] += sum2, acc[j + 3] += sum3;
  }
  for (; j < n; ++j) {
    int32_t sum = 0;
    for (const TapS16* tap = taps; tap != end; ++tap) sum += tap->x[j] * tap->w[j];
    acc[j] += sum;
  }
}

}  // namespace micrort
