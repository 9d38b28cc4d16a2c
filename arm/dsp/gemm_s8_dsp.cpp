// Pairs of int16 products (SMLAD), from bytes that SXTB16 widens two at a time: the even ones of a word, then
// the odd ones.

#include "arm/dsp/dsp_math.h"
#include "kernels/gemm/gemm_s8.h"

namespace micrort {

namespace {

constexpr size_t kNr = 4, kKr = 4;

// Two rows and two columns: as many sums, and words of both sides, as the core has registers.
inline void Sums2x2(const int8_t* a0, const int8_t* a1, const int8_t* b, size_t depth,
                    int32_t (&sums)[2][2]) {
  int32_t s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  const int8_t* const end = a0 + depth;
  do {
    const int32_t row0 = Word(a0), row1 = Word(a1);
    a0 += kKr;
    a1 += kKr;
    const int32_t even0 = Even(row0), odd0 = Odd(row0), even1 = Even(row1), odd1 = Odd(row1);
    const int32_t column0 = Word(b);
    const int32_t even_b0 = Even(column0), odd_b0 = Odd(column0);
    MulAddPairs(even0, even_b0, &s00);
    MulAddPairs(even1, even_b0, &s10);
    MulAddPairs(odd0, odd_b0, &s00);
    MulAddPairs(odd1, odd_b0, &s10);
    const int32_t column1 = Word(b + kKr);
    b += kNr * kKr;
    const int32_t even_b1 = Even(column1), odd_b1 = Odd(column1);
    MulAddPairs(even0, even_b1, &s01);
    MulAddPairs(even1, even_b1, &s11);
    MulAddPairs(odd0, odd_b1, &s01);
    MulAddPairs(odd1, odd_b1, &s11);
  } while (a0 != end);
  sums[0][0] = s00;
  sums[0][1] = s01;
  sums[1][0] = s10;
  sums[1][1] = s11;
}

}  // namespace

void GemmS8_dsp_2x4(const GemmS8Block& block) {
  const GemmS8Output* const output = block.output;
  const auto* row = static_cast<const int8_t*>(block.a);
  for (size_t i = 0; i < block.m; i += 2, row += 2 * block.a_stride) {
    // The last row of an odd number is computed twice.
    const size_t rows = block.m - i < 2 ? 1 : 2;
    const int8_t* const next = rows == 2 ? row + block.a_stride : row;
    for (size_t j = 0; j < block.n; j += 2) {
      int32_t sums[2][2];
      Sums2x2(row, next, block.b + j * kKr, block.depth, sums);
      for (size_t r = 0; r < rows; ++r) {
        for (size_t c = j; c < j + 2; ++c) {
          if (output == nullptr) {
            block.sums[(i + r) * kNr + c] = sums[r][c - j];
          } else if (c < block.n) {
            output->y[(i + r) * output->stride + c] = Quantized(*output, sums[r][c - j], c);
          }
        }
      }
    }
  }
  if (output != nullptr) *block.written = true;
}

}  // namespace micrort
