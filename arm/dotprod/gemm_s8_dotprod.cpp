// int8 GEMM with dot-product instructions: four depth steps of a row times the same four of four columns.

#include <arm_neon.h>

#include "arm/dotprod/gemm_s8_in_order.h"
#include "arm/dotprod/round_sums.h"
#include "arm/neon/load_pair_aarch64.h"
#include "arm/neon/requantize_row_aarch64.h"
#include "arm/neon/tile_6x16.h"
#include "kernels/base/core_type.h"
#include "kernels/gemm/gemm_s8.h"

namespace micrort {
namespace {

constexpr int kMr = 6, kNr = 16;

#define MICRORT_SDOT(sums, columns, row, lane) \
  "sdot v" #sums ".4s, v" #columns ".16b, v" #row ".4b[" #lane "]\n"
#define MICRORT_STORE_SUMS(x, y, offset) "stp q" #x ", q" #y ", [%[sums], #" #offset "]\n"

// Adds the products of lane `Lane`: of M rows, and sixteen columns on from `b`.
template <int Lane, int M>
inline void MultiplyLane(const int8x16_t (&rows)[M], const int8_t** b, int32x4_t (&acc)[M][4]) {
#pragma GCC unroll 2
  for (int j = 0; j < 4; j += 2) {
    int8x16_t b0, b1;
    LoadPair<32>(b, &b0, &b1);
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i) acc[i][j] = vdotq_laneq_s32(acc[i][j], b0, rows[i], Lane);
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i) acc[i][j + 1] = vdotq_laneq_s32(acc[i][j + 1], b1, rows[i], Lane);
  }
}

template <int M>
inline void Multiply(size_t depth, const int8_t* const* a, const int8_t* b, const int32_t* start,
                     int32x4_t (&acc)[M][4]) {
#pragma GCC unroll 4
  for (int i = 0; i < M; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) acc[i][j] = vld1q_s32(start + 4 * j);
  }
  size_t k = 0;
  for (; k + 16 <= depth; k += 16) {
    int8x16_t rows[M];
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i) rows[i] = vld1q_s8(a[i] + k);
    MultiplyLane<0>(rows, &b, acc);
    MultiplyLane<1>(rows, &b, acc);
    MultiplyLane<2>(rows, &b, acc);
    MultiplyLane<3>(rows, &b, acc);
  }
  for (; k < depth; k += 4) {
    int8x16_t rows[M];
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i) {
      int32_t four;
      __builtin_memcpy(&four, a[i] + k, sizeof four);
      rows[i] = vreinterpretq_s8_s32(vdupq_n_s32(four));
    }
    MultiplyLane<0>(rows, &b, acc);
  }
}

struct Rows {
  const int8_t* at[kMr];

  // Those behind the last one are the last one again.
  Rows(const GemmS8Block& t, size_t first) {
    const size_t stride = t.a_stride, last = t.m - first - 1;
    const auto* row = static_cast<const int8_t*>(t.a) + first * stride;
#pragma GCC unroll 6
    for (size_t i = 0; i < kMr; ++i) {
      at[i] = row;
      if (i < last) row += stride;
    }
  }
};

inline Tile6x16 TileOf(const GemmS8Block& t, const Rows& rows, const int32_t* start) {
  return {reinterpret_cast<const void* const*>(rows.at), 0, 1, t.depth / 4, t.b, start, 0};
}

// Four rows or one; tiles of six are assembly.
template <int M>
__attribute__((noinline)) void SumFewRows(const GemmS8Block& t, size_t first, const int32_t* zero) {
  int32x4_t acc[M][4];
  Multiply<M>(t.depth, Rows(t, first).at, t.b, zero, acc);
#pragma GCC unroll 4
  for (int i = 0; i < M; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) {
      vst1q_s32(t.sums + (first + static_cast<size_t>(i)) * kNr + 4 * j, acc[i][j]);
    }
  }
}

template <int M>
__attribute__((noinline)) void FinishFewRows(const GemmS8Block& t, size_t first) {
  const GemmS8Output& o = *t.output;
  int32x4_t acc[M][4];
  Multiply<M>(t.depth, Rows(t, first).at, t.b, o.bias, acc);
  const RequantizeRow requantize(o.multipliers, o.zero_point, o.lo, o.hi);
  // Where columns do not exist, outputs are copied afterwards.
  int8_t whole_rows[M * kNr];
  const bool whole = t.n == kNr;
  const size_t stride = whole ? o.stride : kNr;
  int8_t* y = whole ? o.y + first * stride : whole_rows;
  const int rows = static_cast<int>(t.m - first);
#pragma GCC unroll 4
  for (int i = 0; i < M; ++i, y += stride) {
    if (i == rows) break;
    vst1q_s8(y, requantize(acc[i][0], acc[i][1], acc[i][2], acc[i][3]));
  }
  for (size_t i = 0; !whole && i < M && first + i < t.m; ++i) {
    __builtin_memcpy(o.y + (first + i) * o.stride, whole_rows + i * kNr, t.n);
  }
}

void SumSixRows(const GemmS8Block& t, size_t first, const int32_t* zero) {
  const Rows six(t, first);
  const Tile6x16 tile = TileOf(t, six, zero);
  MICRORT_TILE_6X16_VARIABLES(tile);
  __asm__ volatile(MICRORT_TILE_6X16_START MICRORT_TILE_6X16_SUMS(MICRORT_SDOT)
                       MICRORT_EACH_PAIR_OF_SUMS(MICRORT_STORE_SUMS)
                   : MICRORT_TILE_6X16_OUTPUTS
                   : MICRORT_TILE_6X16_INPUTS(tile), [sums] "r"(t.sums + first * kNr)
                   : MICRORT_TILE_6X16_CLOBBERS);
}

// Multipliers, zero point and bounds as the text below has them in registers 24 to 30.
struct Constants {
  float multipliers[16];
  int8x16_t zero_point, lo, hi;

  explicit Constants(const GemmS8Output& o)
      : zero_point(vreinterpretq_s8_s16(vdupq_n_s16(static_cast<int16_t>(o.zero_point)))),
        lo(vdupq_n_s8(static_cast<int8_t>(o.lo))),
        hi(vdupq_n_s8(static_cast<int8_t>(o.hi))) {
    __builtin_memcpy(multipliers, o.multipliers, sizeof multipliers);
  }
};

#define MICRORT_REQUANTIZE_ROW(s0, s1, s2, s3) \
  MICRORT_ROUND(s0, 24)                        \
  MICRORT_ROUND(s1, 25)                        \
  MICRORT_ROUND(s2, 26)                        \
  MICRORT_ROUND(s3, 27)                        \
  "sqxtn v" #s0 ".4h, v" #s0                   \
  ".4s\n"                                      \
  "sqxtn v" #s2 ".4h, v" #s2                   \
  ".4s\n"                                      \
  "sqxtn2 v" #s0 ".8h, v" #s1                  \
  ".4s\n"                                      \
  "sqxtn2 v" #s2 ".8h, v" #s3                  \
  ".4s\n"                                      \
  "sqadd v" #s0 ".8h, v" #s0                   \
  ".8h, v28.8h\n"                              \
  "sqadd v" #s2 ".8h, v" #s2                   \
  ".8h, v28.8h\n"                              \
  "sqxtn v" #s0 ".8b, v" #s0                   \
  ".8h\n"                                      \
  "sqxtn2 v" #s0 ".16b, v" #s2                 \
  ".8h\n"                                      \
  "smax v" #s0 ".16b, v" #s0                   \
  ".16b, v29.16b\n"                            \
  "smin v" #s0 ".16b, v" #s0                   \
  ".16b, v30.16b\n"                            \
  "str q" #s0                                  \
  ", [%[y]]\n"                                 \
  "add %[y], %[y], %[stride]\n"

// Five or six rows of sixteen outputs.
inline __attribute__((always_inline)) void FinishSixRows(const GemmS8Block& t, size_t first,
                                                         const Constants& constants, int8_t* y,
                                                         size_t stride) {
  const Rows six(t, first);
  const Tile6x16 tile = TileOf(t, six, t.output->bias);
  MICRORT_TILE_6X16_VARIABLES(tile);
  __asm__ volatile(
      MICRORT_TILE_6X16_START MICRORT_TILE_6X16_SUMS(MICRORT_SDOT)
      "ldp q24, q25, [%[constants]]\n"
      "ldp q26, q27, [%[constants], #32]\n"
      "ldp q28, q29, [%[constants], #64]\n"
      "ldr q30, [%[constants], #96]\n"
      MICRORT_REQUANTIZE_ROW(0, 1, 2, 3) MICRORT_REQUANTIZE_ROW(4, 5, 6, 7) MICRORT_REQUANTIZE_ROW(8, 9, 10, 11)
      MICRORT_REQUANTIZE_ROW(12, 13, 14, 15) MICRORT_REQUANTIZE_ROW(16, 17, 18, 19)
      "cmp %[m], #5\n"
      "b.ls 8f\n"
      MICRORT_REQUANTIZE_ROW(20, 21, 22, 23)
      "8:\n"
      : MICRORT_TILE_6X16_OUTPUTS, [y] "+r"(y)
      : MICRORT_TILE_6X16_INPUTS(tile), [constants] "r"(&constants), [stride] "r"(stride), [m] "r"(t.m - first)
      : MICRORT_TILE_6X16_CLOBBERS);
}

__attribute__((noinline)) void FinishPartialSixRows(const GemmS8Block& t, size_t first,
                                                    const Constants& constants) {
  alignas(16) int8_t y[kMr * kNr];
  FinishSixRows(t, first, constants, y, kNr);
  for (size_t i = 0; i < kMr && first + i < t.m; ++i) {
    __builtin_memcpy(t.output->y + (first + i) * t.output->stride, y + i * kNr, t.n);
  }
}

// From row `i` on.
void Finish(const GemmS8Block& t, size_t i) {
  const GemmS8Output& o = *t.output;
  const Constants constants(o);
  for (; i + 4 < t.m; i += kMr) {
    if (t.n == kNr) {
      FinishSixRows(t, i, constants, o.y + i * o.stride, o.stride);
    } else {
      FinishPartialSixRows(t, i, constants);
    }
  }
  if (i + 1 < t.m) return FinishFewRows<4>(t, i);
  if (i < t.m) FinishFewRows<1>(t, i);
}

}  // namespace

void GemmS8_dotprod_6x16(const GemmS8Block& t) {
  size_t i = kHasInOrderLoops && t.n == kNr && t.m > kMr && RunsInOrder() ? GemmS8InOrder(t) : 0;
  if (t.output != nullptr) {
    *t.written = true;
    return Finish(t, i);
  }
  alignas(16) static constexpr int32_t kZero[kNr] = {};
  for (; i + 4 < t.m; i += kMr) SumSixRows(t, i, kZero);
  if (i + 1 < t.m) return SumFewRows<4>(t, i, kZero);
  if (i < t.m) SumFewRows<1>(t, i, kZero);
}

}  // namespace micrort
