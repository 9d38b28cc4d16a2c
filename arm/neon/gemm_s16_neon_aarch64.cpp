// GEMM of int16 by int8 for AArch64: each depth step of a row is multiplied by those of eight columns, and
// added into int32.

#include <arm_neon.h>

#include "kernels/gemm/gemm_s16.h"
#include "kernels/gemm/gemm_s8_tiles.h"

namespace micrort {
namespace {

constexpr size_t kNr = 8, kKr = 2, kStep = 8;

// Eight columns of a row.
struct GemmS16Sums {
  int32x4_t low, high;
};

template <int kLane>
inline GemmS16Sums AddStep(GemmS16Sums sums, int16x8_t columns, int16x8_t row) {
  return {vmlal_laneq_s16(sums.low, vget_low_s16(columns), row, kLane),
          vmlal_high_laneq_s16(sums.high, columns, row, kLane)};
}

// Steps kFirst and kFirst + 1 of each row.
template <int kMr, int kFirst>
inline const int8_t* AddPair(const int16x8_t (&rows)[kMr], const int8_t* b, GemmS16Sums (&sums)[kMr]) {
  const int8x8x2_t steps = vld2_s8(b);
  const int16x8_t first = vmovl_s8(steps.val[0]), second = vmovl_s8(steps.val[1]);
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) sums[i] = AddStep<kFirst>(sums[i], first, rows[i]);
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) sums[i] = AddStep<kFirst + 1>(sums[i], second, rows[i]);
  return b + kKr * kNr;
}

template <int kMr>
inline void RunTile(size_t depth, const char* const (&rows)[kMr], const int8_t* b, int32_t* out) {
  GemmS16Sums sums[kMr];
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) sums[i] = {vdupq_n_s32(0), vdupq_n_s32(0)};
  int16x8_t x[kMr];
  size_t k = 0;
  for (; k + kStep <= depth; k += kStep) {
#pragma GCC unroll 8
    for (int i = 0; i < kMr; ++i) x[i] = vld1q_s16(reinterpret_cast<const int16_t*>(rows[i]) + k);
    b = AddPair<kMr, 0>(x, b, sums);
    b = AddPair<kMr, 2>(x, b, sums);
    b = AddPair<kMr, 4>(x, b, sums);
    b = AddPair<kMr, 6>(x, b, sums);
  }
#pragma GCC unroll 1
  for (; k < depth; k += kKr) {
#pragma GCC unroll 8
    for (int i = 0; i < kMr; ++i) {
      int32_t pair;
      __builtin_memcpy(&pair, rows[i] + k * sizeof(int16_t), sizeof pair);
      x[i] = vreinterpretq_s16_s32(vdupq_n_s32(pair));
    }
    b = AddPair<kMr, 0>(x, b, sums);
  }
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) {
    vst1q_s32(out + kNr * static_cast<size_t>(i), sums[i].low);
    vst1q_s32(out + kNr * static_cast<size_t>(i) + 4, sums[i].high);
  }
}

template <int kMr>
inline void RunRows(const GemmS8Block& t, size_t first, size_t m) {
  ForGemmS8Tiles<kMr, kNr>(
      m, static_cast<const char*>(t.a) + first * t.a_stride, t.a_stride, t.sums + first * kNr,
      [&](const char* const(&rows)[kMr], int32_t* out) { RunTile<kMr>(t.depth, rows, t.b, out); });
}

}  // namespace

// The last rows do not cost as much as a whole tile.
void GemmS16_neon64_6x8(const GemmS8Block& t) {
  constexpr size_t kMr = 6;
  const size_t whole = t.m / kMr * kMr, rest = t.m - whole;
  if (whole > 0) RunRows<kMr>(t, 0, whole);
  if (rest > 2) {
    RunRows<kMr>(t, whole, rest);
  } else if (rest > 0) {
    RunRows<2>(t, whole, rest);
  }
}

}  // namespace micrort
