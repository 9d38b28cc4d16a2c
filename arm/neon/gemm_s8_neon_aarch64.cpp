// int8 GEMM for AArch64 without dot-product instructions: lanes are four depth steps of a row times the same
// of two columns. Products of four depth steps, and of the next four, are added into int16, and neighbours of
// these into int32 sums, two of each column. Two products of int8 fit into int16 unless all four factors are
// -128; matrices with such elements take an addition more.

#include <arm_neon.h>

#include "arm/neon/gemm_s8_tiles_neon.h"
#include "arm/neon/load_pair_aarch64.h"

namespace micrort {
namespace {

// Four depth steps of a row in each lane, and on to the next: one instruction, which compilers do not find.
inline int8x16_t LoadFourSteps(const int8_t** p) {
  struct Four {
    int8_t x[4];
  };
  int8x16_t v;
  __asm__("ld1r {%0.4s}, [%1], #4" : "=w"(v), "+r"(*p) : "m"(*reinterpret_cast<const Four*>(*p)));
  return v;
}

struct Product {
  // `depth` is a multiple of four.
  template <int M, bool kFullRange>
  static void Add(const int8_t* (&a)[M], const int8_t* b, size_t depth, GemmS8Sums (&sums)[M]) {
    int32x4_t acc[M][4];
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i) {
#pragma GCC unroll 4
      for (int j = 0; j < 4; ++j) {
        acc[i][j] = vdupq_n_s32(0);
        // Compilers that know them to be the same copy them at either end of the loop.
        __asm__("" : "+w"(acc[i][j]));
      }
    }
#pragma GCC unroll 1
    for (size_t left = depth / 8; left > 0; --left) {
      int8x16_t b0, b1, b2, b3;
      LoadPair<32>(&b, &b0, &b1);
      LoadPair<32>(&b, &b2, &b3);
#pragma GCC unroll 4
      for (int i = 0; i < M; ++i) {
        const int8x16_t x0 = LoadFourSteps(&a[i]), x1 = LoadFourSteps(&a[i]);
        AddEight<kFullRange>(x0, b0, x1, b2, &acc[i][0], &acc[i][1]);
        AddEight<kFullRange>(x0, b1, x1, b3, &acc[i][2], &acc[i][3]);
      }
    }
    if (__builtin_expect(depth % 8 != 0, true)) {
      int8x16_t b0, b1;
      LoadPair<32>(&b, &b0, &b1);
#pragma GCC unroll 4
      for (int i = 0; i < M; ++i) {
        const int8x16_t x = LoadFourSteps(&a[i]);
        AddFour(x, b0, &acc[i][0], &acc[i][1]);
        AddFour(x, b1, &acc[i][2], &acc[i][3]);
      }
    }
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i) {
      sums[i].low = vaddq_s32(sums[i].low, vpaddq_s32(acc[i][0], acc[i][1]));
      sums[i].high = vaddq_s32(sums[i].high, vpaddq_s32(acc[i][2], acc[i][3]));
    }
  }

 private:
  // Adds the products of four columns.
  template <bool kFullRange>
  static void AddEight(int8x16_t x0, int8x16_t b0, int8x16_t x1, int8x16_t b1, int32x4_t* low,
                       int32x4_t* high) {
    if (kFullRange) {
      AddFour(x0, b0, low, high);
      AddFour(x1, b1, low, high);
      return;
    }
    const int16x8_t first = vmull_s8(vget_low_s8(x0), vget_low_s8(b0));
    *low = vpadalq_s16(*low, vmlal_s8(first, vget_low_s8(x1), vget_low_s8(b1)));
    *high = vpadalq_s16(*high, vmlal_high_s8(vmull_high_s8(x0, b0), x1, b1));
  }
  static void AddFour(int8x16_t x, int8x16_t b, int32x4_t* low, int32x4_t* high) {
    *low = vpadalq_s16(*low, vmull_s8(vget_low_s8(x), vget_low_s8(b)));
    *high = vpadalq_s16(*high, vmull_high_s8(x, b));
  }
};

}  // namespace

void GemmS8_neon64_4x8(const GemmS8Block& block) { GemmS8RunFourByEight<Product>(block); }

}  // namespace micrort
