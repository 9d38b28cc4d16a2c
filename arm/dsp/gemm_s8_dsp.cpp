// Pairs of int16 products (SMLAD). Bytes become int16 two at a time (SXTB16): the even ones of a word, then
// the odd ones. Those of two rows are widened once for all columns of a panel.

#include "arm/dsp/dsp_math.h"
#include "kernels/gemm/gemm_s8.h"

namespace micrort {

namespace {

constexpr size_t kNr = 16, kKr = 4;
// So much of the depth is widened at a time, in 384 bytes of stack: filters of 3x3 have multiples of 96,
// mostly.
constexpr size_t kMaxQuads = 24;

// Four elements of two rows.
struct Quad {
  int32_t even0, odd0, even1, odd1;
};

inline void Widen(const int8_t* row0, const int8_t* row1, size_t quads, Quad* out) {
#pragma GCC unroll 1
  for (size_t i = 0; i < quads; ++i, row0 += kKr, row1 += kKr) {
    const int32_t word0 = Word(row0), word1 = Word(row1);
    out[i] = {Even(word0), Odd(word0), Even(word1), Odd(word1)};
  }
}

// Sums of two rows and two columns: as many, with words of both sides, as the core has registers.
struct Sums {
  int32_t s00, s01, s10, s11;

  inline void AddQuad(const Quad** a, const int8_t** b) {
    int32_t even0, odd0, even1, odd1, column0, column1;
    LoadNext<8>(a, &even0, &odd0);
    LoadNext<8>(a, &even1, &odd1);
    LoadNext<kNr * kKr>(b, &column0, &column1);
    const int32_t even_b0 = Even(column0), odd_b0 = Odd(column0);
    MulAddPairs(even0, even_b0, &s00);
    MulAddPairs(even1, even_b0, &s10);
    MulAddPairs(odd0, odd_b0, &s00);
    MulAddPairs(odd1, odd_b0, &s10);
    const int32_t even_b1 = Even(column1), odd_b1 = Odd(column1);
    MulAddPairs(even0, even_b1, &s01);
    MulAddPairs(even1, even_b1, &s11);
    MulAddPairs(odd0, odd_b1, &s01);
    MulAddPairs(odd1, odd_b1, &s11);
  }
};

// Those of a part of the depth are the first, or are added to what is there.
inline void SumPart(const Quad* a, size_t quads, const int8_t* b, bool is_first, int32_t* row0,
                    int32_t* row1) {
  Sums sums = {0, 0, 0, 0};
  if (!is_first) sums = {row0[0], row0[1], row1[0], row1[1]};
  const Quad* const end = a + quads / 2 * 2;
  while (a != end) {
    sums.AddQuad(&a, &b);
    sums.AddQuad(&a, &b);
  }
  if (quads % 2 != 0) sums.AddQuad(&a, &b);
  row0[0] = sums.s00;
  row0[1] = sums.s01;
  row1[0] = sums.s10;
  row1[1] = sums.s11;
}

}  // namespace

void GemmS8_dsp_2x16(const GemmS8Block& block) {
  const auto* row = static_cast<const int8_t*>(block.a);
  int32_t* sums = block.sums;
  for (size_t i = 0; i < block.m; i += 2, row += 2 * block.a_stride, sums += 2 * kNr) {
    // The last row of an odd number is computed twice.
    const int8_t* const next = block.m - i < 2 ? row : row + block.a_stride;
    const int8_t* b = block.b;
    for (size_t k = 0; k < block.depth; k += kMaxQuads * kKr, b += kMaxQuads * kKr * kNr) {
      const size_t left = (block.depth - k) / kKr, quads = left < kMaxQuads ? left : kMaxQuads;
      Quad widened[kMaxQuads];
      Widen(row + k, next + k, quads, widened);
      for (size_t j = 0; j < block.n; j += 2) {
        SumPart(widened, quads, b + j * kKr, k == 0, sums + j, sums + kNr + j);
      }
    }
  }
}

}  // namespace micrort
