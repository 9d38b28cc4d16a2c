// int8 GEMM with dot-product instructions: four depth steps of one row times the same four of four columns.

#include <arm_neon.h>

#include "kernels/gemm/gemm_s8.h"
#include "kernels/gemm/gemm_s8_tiles.h"

namespace micrort {
namespace {

constexpr int kMr = 8;

// Depth steps 4 * Lane to 4 * Lane + 3 of the sixteen in `rows`.
template <int Lane>
inline void MultiplyLane(const int8x16_t (&rows)[kMr], const int8_t* b, int32x4_t (&acc)[kMr][2]) {
  const int8x16_t b0 = vld1q_s8(b + 32 * Lane), b1 = vld1q_s8(b + 32 * Lane + 16);
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) {
    acc[i][0] = vdotq_laneq_s32(acc[i][0], b0, rows[i], Lane);
    acc[i][1] = vdotq_laneq_s32(acc[i][1], b1, rows[i], Lane);
  }
}

inline void Tile(size_t depth, const char* const (&a)[kMr], const int8_t* b, int32_t* tile) {
  int32x4_t acc[kMr][2];
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) acc[i][0] = acc[i][1] = vdupq_n_s32(0);
  int8x16_t rows[kMr];
  size_t k = 0;
  for (; k + 16 <= depth; k += 16, b += 128) {
#pragma GCC unroll 8
    for (int i = 0; i < kMr; ++i) rows[i] = vld1q_s8(reinterpret_cast<const int8_t*>(a[i] + k));
    MultiplyLane<0>(rows, b, acc);
    MultiplyLane<1>(rows, b, acc);
    MultiplyLane<2>(rows, b, acc);
    MultiplyLane<3>(rows, b, acc);
  }
  for (; k < depth; k += 4, b += 32) {
#pragma GCC unroll 8
    for (int i = 0; i < kMr; ++i) {
      int32_t four;
      __builtin_memcpy(&four, a[i] + k, sizeof four);
      rows[i] = vreinterpretq_s8_s32(vdupq_n_s32(four));
    }
    MultiplyLane<0>(rows, b, acc);
  }
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) {
    vst1q_s32(tile + i * 8, acc[i][0]);
    vst1q_s32(tile + i * 8 + 4, acc[i][1]);
  }
}

}  // namespace

void GemmS8_dotprod_8x8(const GemmS8Block& t) {
  ForGemmS8Tiles<kMr, 8>(t.m, t.a, t.a_stride, t.sums, [&](const char* const(&rows)[kMr], int32_t* tile) {
    Tile(t.depth, rows, t.b, tile);
  });
}

}  // namespace micrort
