// int8 GEMM without dot-product instructions: pairs of depth steps are multiplied into int16 lanes, where any
// product of two int8 fits, and these are added pairwise into int32 lanes.

#include <arm_neon.h>

#include "kernels/gemm/gemm_s8.h"
#include "kernels/gemm/gemm_s8_tiles.h"

namespace micrort {
namespace {

constexpr int kMr = 4;

// Four rows, 4 * NQ columns.
template <int NQ>
inline void Tile(size_t depth, const char* const (&rows)[kMr], const int8_t* b, int32_t* tile) {
  int32x4_t acc[kMr][NQ];
#pragma GCC unroll 4
  for (int i = 0; i < kMr; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < NQ; ++j) acc[i][j] = vdupq_n_s32(0);
  }
  for (size_t k = 0; k < depth; k += 2, b += 8 * NQ) {
    int8x8_t columns[NQ];
#pragma GCC unroll 4
    for (int j = 0; j < NQ; ++j) columns[j] = vld1_s8(b + 8 * j);
#pragma GCC unroll 4
    for (int i = 0; i < kMr; ++i) {
      int16_t pair;
      __builtin_memcpy(&pair, rows[i] + k, sizeof pair);
      const int8x8_t row = vreinterpret_s8_s16(vdup_n_s16(pair));
#pragma GCC unroll 4
      for (int j = 0; j < NQ; ++j) acc[i][j] = vpadalq_s16(acc[i][j], vmull_s8(columns[j], row));
    }
  }
#pragma GCC unroll 4
  for (int i = 0; i < kMr; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < NQ; ++j) vst1q_s32(tile + (i * NQ + j) * 4, acc[i][j]);
  }
}

template <int NQ>
inline void Tiles(const GemmS8Block& t) {
  ForGemmS8Tiles<kMr, 4 * NQ>(
      t.m, t.a, t.a_stride, t.sums,
      [&](const char* const(&rows)[kMr], int32_t* tile) { Tile<NQ>(t.depth, rows, t.b, tile); });
}

}  // namespace

#if MICRORT_ARCH_ARM64
void GemmS8_neon_4x16(const GemmS8Block& block) { Tiles<4>(block); }
#else
void GemmS8_neon_4x8(const GemmS8Block& block) { Tiles<2>(block); }
#endif

}  // namespace micrort
