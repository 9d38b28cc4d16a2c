#pragma once
// The inner loops of GEMM with tiles of six rows and sixteen columns of 32-bit sums, for AArch64 instructions
// that multiply columns by a lane of a row: fmla, sdot. 24 registers of sums, six of rows and two of columns
// are all that there are. Compilers spill some of the sums, so this is assembly.
//
// Rows and columns are counted in lanes of four bytes: a float, or four int8 depth steps.

#include <cstddef>

namespace micrort {
namespace {

struct Tile6x16 {
  const void* const* rows;  // [taps][6]
  size_t rows_offset;       // bytes added to each of them
  size_t taps, lanes;       // depth, the latter of each tap
  const void* columns;      // [taps * lanes][16]
  const void* start;        // sixteen sums of the first row, or null for zero
  size_t start_step;        // bytes to those of the next row
};

}  // namespace
}  // namespace micrort

// MLA(sums, columns, row, lane): the text of an instruction, given numbers of registers.
#define MICRORT_MLA_COLUMN(MLA, s0, s1, s2, s3, s4, s5, columns, lane) \
  MLA(s0, columns, 24, lane)                                           \
  MLA(s1, columns, 25, lane)                                           \
  MLA(s2, columns, 26, lane)                                           \
  MLA(s3, columns, 27, lane)                                           \
  MLA(s4, columns, 28, lane)                                           \
  MLA(s5, columns, 29, lane)

#define MICRORT_MLA_LANE(MLA, lane)                                                                          \
  "ldp q30, q31, [%[columns]], #32\n" MICRORT_MLA_COLUMN(MLA, 0, 4, 8, 12, 16, 20, 30, lane)                 \
      MICRORT_MLA_COLUMN(MLA, 1, 5, 9, 13, 17, 21, 31,                                                       \
                         lane) "ldp q30, q31, [%[columns]], #32\n" MICRORT_MLA_COLUMN(MLA, 2, 6, 10, 14, 18, \
                                                                                      22, 30, lane)          \
          MICRORT_MLA_COLUMN(MLA, 3, 7, 11, 15, 19, 23, 31, lane)

// `op`, of two registers, for all sums.
#define MICRORT_EACH_PAIR_OF_SUMS(op)                                                              \
  op(0, 1, 0) op(2, 3, 32) op(4, 5, 64) op(6, 7, 96) op(8, 9, 128) op(10, 11, 160) op(12, 13, 192) \
      op(14, 15, 224) op(16, 17, 256) op(18, 19, 288) op(20, 21, 320) op(22, 23, 352)
#define MICRORT_ZERO_SUMS(x, y, offset) "movi v" #x ".4s, #0\nmovi v" #y ".4s, #0\n"
#define MICRORT_LOAD_SUMS_OF_ROW(s0, s1, s2, s3) \
  "ldp q" #s0 ", q" #s1                          \
  ", [%[start]]\n"                               \
  "ldp q" #s2 ", q" #s3 ", [%[start], #32]\n"

// Begins a tile with `start`, row after row, or zero where it is null.
#define MICRORT_TILE_6X16_START \
  "cbz %[start], 1f\n" MICRORT_LOAD_SUMS_OF_ROW(0, 1, 2, 3)                        \
  "add %[start], %[start], %[start_step]\n" MICRORT_LOAD_SUMS_OF_ROW(4, 5, 6, 7)   \
  "add %[start], %[start], %[start_step]\n" MICRORT_LOAD_SUMS_OF_ROW(8, 9, 10, 11) \
  "add %[start], %[start], %[start_step]\n" MICRORT_LOAD_SUMS_OF_ROW(12, 13, 14, 15) \
  "add %[start], %[start], %[start_step]\n" MICRORT_LOAD_SUMS_OF_ROW(16, 17, 18, 19) \
  "add %[start], %[start], %[start_step]\n" MICRORT_LOAD_SUMS_OF_ROW(20, 21, 22, 23) \
  "b 2f\n"                                                                         \
  "1:\n" MICRORT_EACH_PAIR_OF_SUMS(MICRORT_ZERO_SUMS)

// `width`: q for four lanes, d for two, s for one.
#define MICRORT_LOAD_ROWS(width, bytes) \
  "ldr " width "24, [%[r0]], #" bytes   \
  "\n"                                  \
  "ldr " width "25, [%[r1]], #" bytes   \
  "\n"                                  \
  "ldr " width "26, [%[r2]], #" bytes   \
  "\n"                                  \
  "ldr " width "27, [%[r3]], #" bytes   \
  "\n"                                  \
  "ldr " width "28, [%[r4]], #" bytes   \
  "\n"                                  \
  "ldr " width "29, [%[r5]], #" bytes "\n"

// Adds to the sums: that of row i, column j is lane j % 4 of register 4 * i + j / 4. The other registers are
// free then.
#define MICRORT_TILE_6X16_SUMS(MLA) \
  "2:\n" /* a tap */                                                                               \
  "ldp %[r0], %[r1], [%[rows]], #16\n"                                                             \
  "ldp %[r2], %[r3], [%[rows]], #16\n"                                                             \
  "ldp %[r4], %[r5], [%[rows]], #16\n"                                                             \
  "add %[r0], %[r0], %[offset]\n"                                                                  \
  "add %[r1], %[r1], %[offset]\n"                                                                  \
  "add %[r2], %[r2], %[offset]\n"                                                                  \
  "add %[r3], %[r3], %[offset]\n"                                                                  \
  "add %[r4], %[r4], %[offset]\n"                                                                  \
  "add %[r5], %[r5], %[offset]\n"                                                                  \
  "lsr %[left], %[lanes], #2\n"                                                                    \
  "cbz %[left], 4f\n"                                                                              \
  "3:\n" /* four lanes */                                                                          \
  MICRORT_LOAD_ROWS("q", "16") MICRORT_MLA_LANE(MLA, 0) MICRORT_MLA_LANE(MLA, 1)                   \
  MICRORT_MLA_LANE(MLA, 2) MICRORT_MLA_LANE(MLA, 3)                                                \
  "subs %[left], %[left], #1\n"                                                                    \
  "b.ne 3b\n"                                                                                      \
  "4:\n"                                                                                           \
  "tbz %[lanes], #1, 5f\n" /* two lanes */                                                         \
  MICRORT_LOAD_ROWS("d", "8") MICRORT_MLA_LANE(MLA, 0) MICRORT_MLA_LANE(MLA, 1)                    \
  "5:\n"                                                                                           \
  "tbz %[lanes], #0, 6f\n" /* a lane */                                                            \
  MICRORT_LOAD_ROWS("s", "4") MICRORT_MLA_LANE(MLA, 0)                                             \
  "6:\n"                                                                                           \
  "subs %[taps], %[taps], #1\n"                                                                    \
  "b.ne 2b\n"

// Operands of this text, for variables that MICRORT_TILE_6X16_VARIABLES declares.
#define MICRORT_TILE_6X16_VARIABLES(tile)                             \
  const void *r0, *r1, *r2, *r3, *r4, *r5, *columns = (tile).columns; \
  const void* begin = (tile).start;                                   \
  const void* const* rows = (tile).rows;                              \
  size_t taps = (tile).taps, left
#define MICRORT_TILE_6X16_OUTPUTS                                                                 \
  [r0] "=&r"(r0), [r1] "=&r"(r1), [r2] "=&r"(r2), [r3] "=&r"(r3), [r4] "=&r"(r4), [r5] "=&r"(r5), \
      [left] "=&r"(left), [columns] "+r"(columns), [rows] "+r"(rows), [taps] "+r"(taps), [start] "+r"(begin)
#define MICRORT_TILE_6X16_INPUTS(tile) \
  [offset] "r"((tile).rows_offset), [lanes] "r"((tile).lanes), [start_step] "r"((tile).start_step)
#define MICRORT_TILE_6X16_CLOBBERS                                                                      \
  "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", \
      "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", \
      "v30", "v31", "cc", "memory"
