// Sixteen products of bytes are added to a sum of one row and one column by one instruction (VMLADAVA).

#include <arm_mve.h>

#include "kernels/gemm/gemm_s8.h"

namespace micrort {

namespace {

constexpr size_t kNr = 4, kKr = 16;

// Two rows and two columns: such sums are in even registers, of which there are seven.
inline void Sums2x2(const int8_t* a0, const int8_t* a1, const int8_t* b, size_t depth, int32_t* row0,
                    int32_t* row1) {
  int32_t s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (size_t k = 0; k < depth; k += kKr, a0 += kKr, a1 += kKr, b += kNr * kKr) {
    const int8x16_t x0 = vldrbq_s8(a0), x1 = vldrbq_s8(a1);
    const int8x16_t column0 = vldrbq_s8(b), column1 = vldrbq_s8(b + kKr);
    s00 = vmladavaq_s8(s00, x0, column0);
    s10 = vmladavaq_s8(s10, x1, column0);
    s01 = vmladavaq_s8(s01, x0, column1);
    s11 = vmladavaq_s8(s11, x1, column1);
  }
  row0[0] = s00;
  row0[1] = s01;
  row1[0] = s10;
  row1[1] = s11;
}

}  // namespace

void GemmS8_mve_2x4(const GemmS8Block& block) {
  const auto* row = static_cast<const int8_t*>(block.a);
  int32_t* sums = block.sums;
  for (size_t i = 0; i < block.m; i += 2, row += 2 * block.a_stride, sums += 2 * kNr) {
    // The last row of an odd number is computed twice.
    const int8_t* const next = block.m - i < 2 ? row : row + block.a_stride;
    for (size_t j = 0; j < block.n; j += 2) {
      Sums2x2(row, next, block.b + j * kKr, block.depth, sums + j, sums + kNr + j);
    }
  }
}

}  // namespace micrort
