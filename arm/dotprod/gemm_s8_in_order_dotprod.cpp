// int8 GEMM with dot-product instructions for cores that execute in order: the same sums and outputs as
// dotprod_6x16, from the same panels, by tiles of twelve rows and half a panel.

#include <arm_neon.h>

#include "arm/dotprod/gemm_s8_in_order.h"
#include "arm/dotprod/round_sums.h"
#include "arm/neon/tile_12x8.h"

namespace micrort {
namespace {

constexpr size_t kNr = 16, kHalf = 8, kTileRows = kGemmS8InOrderRows;

#define MICRORT_SDOT(sums, columns, row, lane) \
  "sdot v" #sums ".4s, v" #columns ".16b, v" #row ".4b[" #lane "]\n"

// Twelve rows from one on; those behind the last one are the last one again.
struct TileRows {
  const void* at[kTileRows];

  TileRows(const GemmS8Block& t, size_t first) {
    const size_t stride = t.a_stride, last = t.m - first - 1;
    const auto* row = static_cast<const int8_t*>(t.a) + first * stride;
    for (size_t i = 0; i < kTileRows; ++i) {
      at[i] = row;
      if (i < last) row += stride;
    }
  }

  Tile12x8 Tile(const GemmS8Block& t, size_t column, const int32_t* start) const {
    return {{at, at + kTileRows / 2}, 0, 1, t.depth / 4, t.b + column * 4, start, 0};
  }
};

#define MICRORT_STORE_SUMS(s0, s1) \
  "stp q" #s0 ", q" #s1            \
  ", [x0]\n"                       \
  "add x0, x0, #64\n"

void SumHalf(const Tile12x8& tile, int32_t* sums) {
  MICRORT_TILE_12X8_VARIABLES(tile);
  __asm__ volatile(
      MICRORT_TILE_12X8_SUMS(MICRORT_SDOT) "mov x0, %[sums]\n" MICRORT_EACH_ROW_12X8(MICRORT_STORE_SUMS)
      : MICRORT_TILE_12X8_OUTPUTS
      : MICRORT_TILE_12X8_INPUTS(tile), [sums] "r"(sums)
      : MICRORT_TILE_12X8_CLOBBERS);
}

// Where the rows of half a panel go, and what makes outputs of them; the text below knows where the members
// lie.
struct HalfOutputs {
  int8_t* y;
  size_t step;  // bytes from row to row
  size_t m;     // 7..12
  const float* multipliers;
  int8x16_t zero_point, lo, hi;
};
static_assert(sizeof(HalfOutputs) == 80, "loaded by pairs");

#define MICRORT_REQUANTIZE_ROW(s0, s1) \
  MICRORT_ROUND(s0, 24)                \
  MICRORT_ROUND(s1, 25)                \
  "sqxtn v" #s0 ".4h, v" #s0           \
  ".4s\n"                              \
  "sqxtn2 v" #s0 ".8h, v" #s1          \
  ".4s\n"                              \
  "sqadd v" #s0 ".8h, v" #s0           \
  ".8h, v26.8h\n"                      \
  "sqxtn v" #s0 ".8b, v" #s0           \
  ".8h\n"                              \
  "smax v" #s0 ".8b, v" #s0            \
  ".8b, v27.8b\n"                      \
  "smin v" #s0 ".8b, v" #s0            \
  ".8b, v28.8b\n"                      \
  "str d" #s0                          \
  ", [x0]\n"                           \
  "add x0, x0, x1\n"
// Rows from the eighth on may not exist: x2 is how many do.
#define MICRORT_REQUANTIZE_NEXT_ROW(s0, s1) \
  "subs x2, x2, #1\n"                       \
  "b.eq 8f\n" MICRORT_REQUANTIZE_ROW(s0, s1)

void FinishHalf(const Tile12x8& tile, const HalfOutputs& out) {
  MICRORT_TILE_12X8_VARIABLES(tile);
  __asm__ volatile(
      MICRORT_TILE_12X8_SUMS(MICRORT_SDOT)
      "ldp x0, x1, [%[out]]\n"
      "ldp x2, x3, [%[out], #16]\n"
      "ldp q26, q27, [%[out], #32]\n"
      "ldr q28, [%[out], #64]\n"
      "ldp q24, q25, [x3]\n"
      "sub x2, x2, #6\n"
      MICRORT_REQUANTIZE_ROW(0, 1) MICRORT_REQUANTIZE_ROW(2, 3) MICRORT_REQUANTIZE_ROW(4, 5)
      MICRORT_REQUANTIZE_ROW(6, 7) MICRORT_REQUANTIZE_ROW(8, 9) MICRORT_REQUANTIZE_ROW(10, 11)
      MICRORT_REQUANTIZE_ROW(12, 13) MICRORT_REQUANTIZE_NEXT_ROW(14, 15) MICRORT_REQUANTIZE_NEXT_ROW(16, 17)
      MICRORT_REQUANTIZE_NEXT_ROW(18, 19) MICRORT_REQUANTIZE_NEXT_ROW(20, 21) MICRORT_REQUANTIZE_NEXT_ROW(22, 23)
      "8:\n"
      : MICRORT_TILE_12X8_OUTPUTS
      : MICRORT_TILE_12X8_INPUTS(tile), [out] "r"(&out)
      : MICRORT_TILE_12X8_CLOBBERS);
}

void FinishRows(const GemmS8Block& t, size_t first, size_t rows) {
  const GemmS8Output& o = *t.output;
  const TileRows tile_rows(t, first);
  for (size_t j = 0; j < kNr; j += kHalf) {
    FinishHalf(tile_rows.Tile(t, j, o.bias + j),
               {o.y + first * o.stride + j, o.stride, rows, o.multipliers + j,
                vreinterpretq_s8_s16(vdupq_n_s16(static_cast<int16_t>(o.zero_point))),
                vdupq_n_s8(static_cast<int8_t>(o.lo)), vdupq_n_s8(static_cast<int8_t>(o.hi))});
  }
}

void SumRows(const GemmS8Block& t, size_t first) {
  const TileRows tile_rows(t, first);
  for (size_t j = 0; j < kNr; j += kHalf) SumHalf(tile_rows.Tile(t, j, nullptr), t.sums + first * kNr + j);
}

}  // namespace

size_t GemmS8InOrder(const GemmS8Block& t) {
  size_t first = 0;
  for (; first + kTileRows / 2 < t.m; first += kTileRows) {
    const size_t left = t.m - first, rows = left < kTileRows ? left : kTileRows;
    if (t.output != nullptr) {
      FinishRows(t, first, rows);
    } else {
      SumRows(t, first);
    }
  }
  return first < t.m ? first : t.m;
}

}  // namespace micrort
