#pragma once
// The inner loops of GEMM for AArch64 cores that execute in order and take two cycles, with nothing beside
// them, for a load of 128 bits, but can issue one of 64 bits beside every product (docs/arm.md): tiles of
// twelve rows and eight columns of 32-bit sums, so that rows need no more than loads of 64 bits, and columns
// are put together from two. 24 registers of sums, four of columns, two steps of the depth, four of rows.
// What a product needs is loaded eight products or more before.
//
// Columns are half a panel of sixteen, and sums are added in the order of tile_6x16.h: results have the same
// bits. Rows and columns are counted in lanes of four bytes, as there.

#include <cstddef>

namespace micrort {
namespace {

struct Tile12x8 {
  const void* const* rows[2];  // of six rows each: [taps][6]
  size_t rows_offset;          // bytes added to each of them
  size_t taps, lanes;          // depth, the latter of each tap
  const void* columns;         // [taps * lanes][16], of which the first eight are meant
  const void* start;           // eight sums of the first row, or null for zero
  size_t start_step;           // bytes to those of the next row
};

}  // namespace
}  // namespace micrort

// Products of one lane for four rows; after each of them comes x0, x1, ...
#define MICRORT_MLA_FOUR_ROWS(MLA, lane, b0, b1, s0, s1, s2, s3, s4, s5, s6, s7, x0, x1, x2, x3, x4, x5, x6, \
                              x7)                                                                            \
  MLA(s0, b0, 28, lane)                                                                                      \
  x0 MLA(s1, b1, 28, lane)                                                                                   \
  x1 MLA(s2, b0, 29, lane)                                                                                   \
  x2 MLA(s3, b1, 29, lane)                                                                                   \
  x3 MLA(s4, b0, 30, lane)                                                                                   \
  x4 MLA(s5, b1, 30, lane)                                                                                   \
  x5 MLA(s6, b0, 31, lane)                                                                                   \
  x6 MLA(s7, b1, 31, lane) x7
#define MICRORT_NOTHING ""

#define MICRORT_LOAD_LANES(vector, row, width, bytes) "ldr " width #vector ", [" #row "], #" bytes "\n"
#define MICRORT_LOAD_TWO_LANES(vector, row) MICRORT_LOAD_LANES(vector, row, "d", "8")

// Four columns in two loads, the second by way of another register.
#define MICRORT_LOAD_LOW(vector, offset) "ldr d" #vector ", [%[columns], #" #offset "]\n"
#define MICRORT_LOAD_HIGH(high, offset) "ldr " #high ", [%[columns], #" #offset "]\n"
#define MICRORT_INSERT_HIGH(vector, high) "ins v" #vector ".d[1], " #high "\n"

// Two lanes. Columns of the first and the first four rows have been loaded; what loads those of the next two,
// or MICRORT_NO_LOAD, is an argument.
#define MICRORT_TWO_LANES_12X8(MLA, NEXT_ROW, NEXT_LOW, NEXT_HIGH, NEXT_INSERT)                              \
  MICRORT_MLA_FOUR_ROWS(MLA, 0, 24, 25, 0, 1, 2, 3, 4, 5, 6, 7, MICRORT_LOAD_LOW(26, 64),                    \
                        MICRORT_LOAD_HIGH(x12, 72), MICRORT_LOAD_LOW(27, 80), MICRORT_LOAD_HIGH(x13, 88),    \
                        MICRORT_INSERT_HIGH(26, x12), "add %[columns], %[columns], #128\n",                  \
                        MICRORT_INSERT_HIGH(27, x13), MICRORT_NOTHING)                                       \
  MICRORT_MLA_FOUR_ROWS(MLA, 1, 26, 27, 0, 1, 2, 3, 4, 5, 6, 7, MICRORT_NOTHING,                             \
                        MICRORT_LOAD_TWO_LANES(28, x4), MICRORT_NOTHING, MICRORT_LOAD_TWO_LANES(29, x5),     \
                        MICRORT_NOTHING, MICRORT_LOAD_TWO_LANES(30, x6), MICRORT_NOTHING,                    \
                        MICRORT_LOAD_TWO_LANES(31, x7))                                                      \
  MICRORT_MLA_FOUR_ROWS(MLA, 0, 24, 25, 8, 9, 10, 11, 12, 13, 14, 15, MICRORT_NOTHING, MICRORT_NOTHING,      \
                        MICRORT_NOTHING, MICRORT_NOTHING, MICRORT_NOTHING, MICRORT_NOTHING, MICRORT_NOTHING, \
                        MICRORT_NOTHING)                                                                     \
  MICRORT_MLA_FOUR_ROWS(MLA, 1, 26, 27, 8, 9, 10, 11, 12, 13, 14, 15, MICRORT_NOTHING,                       \
                        MICRORT_LOAD_TWO_LANES(28, x8), MICRORT_NOTHING, MICRORT_LOAD_TWO_LANES(29, x9),     \
                        MICRORT_NOTHING, MICRORT_LOAD_TWO_LANES(30, x10), MICRORT_NOTHING,                   \
                        MICRORT_LOAD_TWO_LANES(31, x11))                                                     \
  MICRORT_MLA_FOUR_ROWS(MLA, 0, 24, 25, 16, 17, 18, 19, 20, 21, 22, 23, MICRORT_NOTHING, MICRORT_NOTHING,    \
                        MICRORT_NOTHING, "subs x14, x14, #1\n", MICRORT_NOTHING, MICRORT_NOTHING,            \
                        MICRORT_NOTHING, MICRORT_NOTHING)                                                    \
  MICRORT_MLA_FOUR_ROWS(MLA, 1, 26, 27, 16, 17, 18, 19, 20, 21, 22, 23, NEXT_LOW(24, 0) NEXT_HIGH(x12, 8),   \
                        NEXT_ROW(28, x0), NEXT_LOW(25, 16) NEXT_HIGH(x13, 24), NEXT_ROW(29, x1),             \
                        NEXT_INSERT(24, x12), NEXT_ROW(30, x2), NEXT_INSERT(25, x13), NEXT_ROW(31, x3))
#define MICRORT_NO_LOAD(x, y) MICRORT_NOTHING

// One lane of four rows.
#define MICRORT_LAST_LANE_12X8(MLA, ra, rb, rc, rd, s0, s1, s2, s3, s4, s5, s6, s7)                          \
  MICRORT_LOAD_LANES(28, ra, "s", "4")                                                                       \
  MICRORT_LOAD_LANES(29, rb, "s", "4")                                                                       \
  MICRORT_LOAD_LANES(30, rc, "s", "4")                                                                       \
  MICRORT_LOAD_LANES(31, rd, "s", "4")                                                                       \
  MICRORT_MLA_FOUR_ROWS(MLA, 0, 24, 25, s0, s1, s2, s3, s4, s5, s6, s7, MICRORT_NOTHING, MICRORT_NOTHING,    \
                        MICRORT_NOTHING, MICRORT_NOTHING, MICRORT_NOTHING, MICRORT_NOTHING, MICRORT_NOTHING, \
                        MICRORT_NOTHING)

#define MICRORT_EACH_ROW_12X8(op)                                                                     \
  op(0, 1) op(2, 3) op(4, 5) op(6, 7) op(8, 9) op(10, 11) op(12, 13) op(14, 15) op(16, 17) op(18, 19) \
      op(20, 21) op(22, 23)
#define MICRORT_ZERO_ROW_12X8(s0, s1) "movi v" #s0 ".4s, #0\nmovi v" #s1 ".4s, #0\n"
#define MICRORT_START_ROW_12X8(s0, s1) \
  "ldp q" #s0 ", q" #s1 ", [%[start]]\nadd %[start], %[start], %[start_step]\n"

#define MICRORT_TWO_ROWS_OF_TAP(x, y, rows) \
  "ldp " #x ", " #y ", [%[" #rows           \
  "]], #16\n"                               \
  "add " #x ", " #x                         \
  ", %[offset]\n"                           \
  "add " #y ", " #y ", %[offset]\n"

// Begins a tile with `start`, row after row, or zero where it is null, and adds to the sums: those of row i
// are in registers 2 * i and 2 * i + 1. The other registers are free then.
#define MICRORT_TILE_12X8_SUMS(MLA) \
  "cbz %[start], 1f\n" MICRORT_EACH_ROW_12X8(MICRORT_START_ROW_12X8)                                           \
  "b 2f\n"                                                                                                     \
  "1:\n" MICRORT_EACH_ROW_12X8(MICRORT_ZERO_ROW_12X8)                                                          \
  "2:\n" /* a tap */                                                                                           \
  MICRORT_TWO_ROWS_OF_TAP(x0, x1, rows0) MICRORT_TWO_ROWS_OF_TAP(x2, x3, rows0)                                \
  MICRORT_TWO_ROWS_OF_TAP(x4, x5, rows0) MICRORT_TWO_ROWS_OF_TAP(x6, x7, rows1)                                \
  MICRORT_TWO_ROWS_OF_TAP(x8, x9, rows1) MICRORT_TWO_ROWS_OF_TAP(x10, x11, rows1)                              \
  "lsr x14, %[lanes], #1\n"                                                                                \
  "cbz x14, 5f\n"                                                                                          \
  MICRORT_LOAD_LOW(24, 0) MICRORT_LOAD_HIGH(x12, 8) MICRORT_LOAD_LOW(25, 16) MICRORT_LOAD_HIGH(x13, 24)    \
  MICRORT_INSERT_HIGH(24, x12) MICRORT_INSERT_HIGH(25, x13)                                                \
  MICRORT_LOAD_TWO_LANES(28, x0) MICRORT_LOAD_TWO_LANES(29, x1) MICRORT_LOAD_TWO_LANES(30, x2)                 \
  MICRORT_LOAD_TWO_LANES(31, x3)                                                                               \
  "subs x14, x14, #1\n"                                                                                \
  "b.eq 4f\n"                                                                                                  \
  "3:\n" /* two lanes, and those behind them come in */                                                        \
  MICRORT_TWO_LANES_12X8(MLA, MICRORT_LOAD_TWO_LANES, MICRORT_LOAD_LOW, MICRORT_LOAD_HIGH, MICRORT_INSERT_HIGH) \
  "b.ne 3b\n"                                                                                                  \
  "4:\n" /* the last two */                                                                                    \
  MICRORT_TWO_LANES_12X8(MLA, MICRORT_NO_LOAD, MICRORT_NO_LOAD, MICRORT_NO_LOAD, MICRORT_NO_LOAD)              \
  "5:\n"                                                                                                       \
  "tbz %[lanes], #0, 6f\n" /* a lane */                                                                        \
  "ldp q24, q25, [%[columns]]\n"                                                                               \
  "add %[columns], %[columns], #64\n"                                                                          \
  MICRORT_LAST_LANE_12X8(MLA, x0, x1, x2, x3, 0, 1, 2, 3, 4, 5, 6, 7)                                          \
  MICRORT_LAST_LANE_12X8(MLA, x4, x5, x6, x7, 8, 9, 10, 11, 12, 13, 14, 15)                                    \
  MICRORT_LAST_LANE_12X8(MLA, x8, x9, x10, x11, 16, 17, 18, 19, 20, 21, 22, 23)                                \
  "6:\n"                                                                                                       \
  "subs %[taps], %[taps], #1\n"                                                                                \
  "b.ne 2b\n"

// Operands of this text, for variables that MICRORT_TILE_12X8_VARIABLES declares. Registers have names of
// their own, as there may be thirty operands at most: x0 to x11 are rows, x12 and x13 halves of columns, x14
// counts; text behind this may use them.
#define MICRORT_TILE_12X8_VARIABLES(tile)                                    \
  const void *columns = (tile).columns, *begin = (tile).start;               \
  const void *const *rows0 = (tile).rows[0], *const *rows1 = (tile).rows[1]; \
  size_t taps = (tile).taps
#define MICRORT_TILE_12X8_OUTPUTS \
  [columns] "+r"(columns), [rows0] "+r"(rows0), [rows1] "+r"(rows1), [taps] "+r"(taps), [start] "+r"(begin)
#define MICRORT_TILE_12X8_INPUTS(tile) \
  [offset] "r"((tile).rows_offset), [lanes] "r"((tile).lanes), [start_step] "r"((tile).start_step)
#define MICRORT_TILE_12X8_CLOBBERS                                                                           \
  "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "v0", "v1", \
      "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16",       \
      "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30",      \
      "v31", "cc", "memory"
