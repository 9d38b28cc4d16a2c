// int8 GEMM for ARMv7: channels run along the lanes. Products of two depth steps, and of the next two, are
// added into int16, and neighbours of these into int32 sums. Two products of int8 fit into int16 unless all
// four factors are -128; matrices with such elements take an addition more.

#include <arm_neon.h>

#include "arm/neon/gemm_s8_tiles_neon.h"
#include "arm/neon/load_pair_armv7.h"

namespace micrort {
namespace {

// Two depth steps of a row in each lane, and on to the next: one instruction, which compilers do not find.
inline int8x8_t LoadTwoSteps(const int8_t** p) {
  struct Two {
    int8_t x[2];
  };
  int8x8_t v;
  __asm__("vld1.16 {%P0[]}, [%1]!" : "=w"(v), "+r"(*p) : "m"(*reinterpret_cast<const Two*>(*p)));
  return v;
}

template <bool kFullRange>
inline int32x4_t MulAdd(int32x4_t sums, int8x8_t x0, int8x8_t x1, int8x8_t b0, int8x8_t b1) {
  const int16x8_t first = vmull_s8(x0, b0);
  if (kFullRange) return vpadalq_s16(vpadalq_s16(sums, first), vmull_s8(x1, b1));
  return vpadalq_s16(sums, vmlal_s8(first, x1, b1));
}

// Four depth steps of four rows, for matrices without such elements. GCC copies sums at the ends of a loop of
// intrinsics.
#define MICRORT_FOUR_STEPS_OF_ROW(row, low, high) \
  "vld1.16 {d20[]}, [%[" #row                     \
  "]]!\n"                                         \
  "vld1.16 {d21[]}, [%[" #row                     \
  "]]!\n"                                         \
  "vmull.s8 q11, d20, d16\n"                      \
  "vmlal.s8 q11, d21, d18\n"                      \
  "vmull.s8 q12, d20, d17\n"                      \
  "vmlal.s8 q12, d21, d19\n"                      \
  "vpadal.s16 %q[" #low                           \
  "], q11\n"                                      \
  "vpadal.s16 %q[" #high "], q12\n"
inline __attribute__((always_inline)) void MultiplyFourRows(const int8_t* (&a)[4], const int8_t** b,
                                                            GemmS8Sums (&s)[4]) {
  __asm__ volatile("vld1.8 {d16-d19}, [%[b]]!\n" MICRORT_FOUR_STEPS_OF_ROW(a0, l0, h0)
                       MICRORT_FOUR_STEPS_OF_ROW(a1, l1, h1) MICRORT_FOUR_STEPS_OF_ROW(a2, l2, h2)
                           MICRORT_FOUR_STEPS_OF_ROW(a3, l3, h3)
                   : [a0] "+r"(a[0]), [a1] "+r"(a[1]), [a2] "+r"(a[2]), [a3] "+r"(a[3]), [b] "+r"(*b),
                     [l0] "+w"(s[0].low), [h0] "+w"(s[0].high), [l1] "+w"(s[1].low), [h1] "+w"(s[1].high),
                     [l2] "+w"(s[2].low), [h2] "+w"(s[2].high), [l3] "+w"(s[3].low), [h3] "+w"(s[3].high)
                   :
                   : "q8", "q9", "q10", "q11", "q12", "memory");
}

// Four depth steps.
template <int M, bool kFullRange>
inline void MultiplyFour(const int8_t* (&a)[M], const int8_t** b, GemmS8Sums (&sums)[M]) {
  if constexpr (M == 4 && !kFullRange) return MultiplyFourRows(a, b, sums);
  const int8x16x2_t columns = LoadPair(b);
#pragma GCC unroll 4
  for (int i = 0; i < M; ++i) {
    const int8x8_t x0 = LoadTwoSteps(&a[i]), x1 = LoadTwoSteps(&a[i]);
    sums[i].low =
        MulAdd<kFullRange>(sums[i].low, x0, x1, vget_low_s8(columns.val[0]), vget_low_s8(columns.val[1]));
    sums[i].high =
        MulAdd<kFullRange>(sums[i].high, x0, x1, vget_high_s8(columns.val[0]), vget_high_s8(columns.val[1]));
  }
}

// `depth` is even.
struct Product {
  template <int M, bool kFullRange>
  static void Add(const int8_t* (&a)[M], const int8_t* b, size_t depth, GemmS8Sums (&sums)[M]) {
    size_t left = depth;
    for (; left >= 8; left -= 8) {
      MultiplyFour<M, kFullRange>(a, &b, sums);
      MultiplyFour<M, kFullRange>(a, &b, sums);
    }
    if (__builtin_expect(left >= 4, true)) MultiplyFour<M, kFullRange>(a, &b, sums);
    if (__builtin_expect(left % 4 == 0, false)) return;
    const int8x16_t columns = vld1q_s8(b);
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i) {
      const int8x8_t x = LoadTwoSteps(&a[i]);
      sums[i].low = vpadalq_s16(sums[i].low, vmull_s8(x, vget_low_s8(columns)));
      sums[i].high = vpadalq_s16(sums[i].high, vmull_s8(x, vget_high_s8(columns)));
    }
  }
};

}  // namespace

void GemmS8_neon32_4x8(const GemmS8Block& block) { GemmS8RunFourByEight<Product>(block); }

}  // namespace micrort
