// Float GEMM for AArch64 cores that execute in order: the bits of neon_6x16, from the same panels, by tiles
// of twelve rows and half a panel.

#include "arm/neon/gemm_f32_in_order.h"
#include "arm/neon/tile_12x8.h"

namespace micrort {
namespace {

constexpr size_t kNr = 16, kHalf = 8;

#define MICRORT_FMLA(sums, columns, row, lane) \
  "fmla v" #sums ".4s, v" #columns ".4s, v" #row ".s[" #lane "]\n"

// Where the rows of half a panel go; the text below knows where its members lie.
struct HalfRows {
  float* c;
  size_t step;         // bytes from row to row
  const float* bias;   // or null
  size_t m;            // 7..12
  const float* clamp;  // lo, hi
};
static_assert(sizeof(HalfRows) == 40, "loaded by pairs");

#define MICRORT_ADD_BIAS(s0, s1) \
  "fadd v" #s0 ".4s, v" #s0      \
  ".4s, v24.4s\n"                \
  "fadd v" #s1 ".4s, v" #s1 ".4s, v25.4s\n"
#define MICRORT_CLAMP(s)  \
  "fmin v" #s ".4s, v" #s \
  ".4s, v29.4s\n"         \
  "fmax v" #s ".4s, v" #s ".4s, v28.4s\n"
#define MICRORT_STORE_ROW(s0, s1) \
  MICRORT_CLAMP(s0)               \
  MICRORT_CLAMP(s1)               \
  "stp q" #s0 ", q" #s1           \
  ", [x0]\n"                      \
  "add x0, x0, x1\n"
// Rows from the eighth on may not exist: x3 is how many do.
#define MICRORT_STORE_NEXT_ROW(s0, s1) \
  "subs x3, x3, #1\n"                  \
  "b.eq 8f\n" MICRORT_STORE_ROW(s0, s1)

// FMAX and FMIN let a NaN through.
inline __attribute__((always_inline)) void RunHalf(const Tile12x8& tile, const HalfRows& out) {
  MICRORT_TILE_12X8_VARIABLES(tile);
  __asm__ volatile(MICRORT_TILE_12X8_SUMS(MICRORT_FMLA)
                   "ldp x0, x1, [%[out]]\n"
                   "ldp x2, x3, [%[out], #16]\n"
                   "ldr x4, [%[out], #32]\n"
                   "ldp s28, s29, [x4]\n"
                   "dup v28.4s, v28.s[0]\n"
                   "dup v29.4s, v29.s[0]\n"
                   "cbz x2, 7f\n"
                   "ldp q24, q25, [x2]\n" MICRORT_EACH_ROW_12X8(MICRORT_ADD_BIAS)
                   "7:\n"
                   "sub x3, x3, #6\n"
                   MICRORT_STORE_ROW(0, 1) MICRORT_STORE_ROW(2, 3) MICRORT_STORE_ROW(4, 5) MICRORT_STORE_ROW(6, 7)
                   MICRORT_STORE_ROW(8, 9) MICRORT_STORE_ROW(10, 11) MICRORT_STORE_ROW(12, 13)
                   MICRORT_STORE_NEXT_ROW(14, 15) MICRORT_STORE_NEXT_ROW(16, 17) MICRORT_STORE_NEXT_ROW(18, 19)
                   MICRORT_STORE_NEXT_ROW(20, 21) MICRORT_STORE_NEXT_ROW(22, 23)
                   "8:\n"
                   : MICRORT_TILE_12X8_OUTPUTS
                   : MICRORT_TILE_12X8_INPUTS(tile), [out] "r"(&out)
                   : MICRORT_TILE_12X8_CLOBBERS);
}

}  // namespace

size_t GemmF32InOrder(const GemmF32Tile& t) {
  const float clamp[] = {t.lo, t.hi};
  const auto* rows = reinterpret_cast<const void* const*>(t.a);
  size_t done = 0;
  for (; done + kGemmF32InOrderRows / 2 < t.m; done += kGemmF32InOrderRows) {
    const size_t left = t.m - done;
    if (t.start != nullptr && left < kGemmF32InOrderRows) break;  // all twelve are read
    const size_t m = left < kGemmF32InOrderRows ? left : kGemmF32InOrderRows;
    for (size_t j = 0; j < kNr; j += kHalf) {
      Tile12x8 tile = {
          {rows, rows + t.a_step},       t.a_offset * sizeof(float), t.taps, t.channels, t.b + j, nullptr,
          t.start_stride * sizeof(float)};
      if (t.start != nullptr) tile.start = t.start + done * t.start_stride + j;
      const HalfRows out = {t.c + done * t.c_stride + j, t.c_stride * sizeof(float),
                            t.bias == nullptr ? nullptr : t.bias + j, m, clamp};
      RunHalf(tile, out);
    }
    rows += 2 * t.a_step;
  }
  return done < t.m ? done : t.m;
}

}  // namespace micrort
