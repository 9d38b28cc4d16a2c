// int8 GEMM with dot-product instructions: four depth steps of one row times the same four of four columns.

#include <arm_neon.h>

#include "arm/neon/load_pair_aarch64.h"
#include "arm/neon/requantize_8_aarch64.h"
#include "kernels/gemm/gemm_s8.h"
#include "kernels/gemm/gemm_s8_tiles.h"

namespace micrort {
namespace {

constexpr int kMr = 8, kNr = 8;

// Depth steps 4 * Lane to 4 * Lane + 3 of the sixteen in `rows`, for R rows.
template <int Lane, int R>
inline void MultiplyLane(const int8x16_t (&rows)[R], const int8_t** b, int32x4_t (&acc)[R][2]) {
  int8x16_t b0, b1;
  LoadPair<32>(b, &b0, &b1);
#pragma GCC unroll 8
  for (int i = 0; i < R; ++i) {
    acc[i][0] = vdotq_laneq_s32(acc[i][0], b0, rows[i], Lane);
    acc[i][1] = vdotq_laneq_s32(acc[i][1], b1, rows[i], Lane);
  }
}

// On from sums that all rows start with.
template <int R>
inline void Multiply(size_t depth, const char* const (&a)[R], const int8_t* b, int32x4_t low, int32x4_t high,
                     int32x4_t (&acc)[R][2]) {
#pragma GCC unroll 8
  for (int i = 0; i < R; ++i) {
    acc[i][0] = low;
    acc[i][1] = high;
  }
  int8x16_t rows[R];
  size_t k = 0;
  for (; k + 16 <= depth; k += 16) {
#pragma GCC unroll 8
    for (int i = 0; i < R; ++i) rows[i] = vld1q_s8(reinterpret_cast<const int8_t*>(a[i] + k));
    MultiplyLane<0>(rows, &b, acc);
    MultiplyLane<1>(rows, &b, acc);
    MultiplyLane<2>(rows, &b, acc);
    MultiplyLane<3>(rows, &b, acc);
  }
  for (; k < depth; k += 4) {
#pragma GCC unroll 8
    for (int i = 0; i < R; ++i) {
      int32_t four;
      __builtin_memcpy(&four, a[i] + k, sizeof four);
      rows[i] = vreinterpretq_s8_s32(vdupq_n_s32(four));
    }
    MultiplyLane<0>(rows, &b, acc);
  }
}

// R rows at a time of a panel of which all columns exist.
template <int R>
__attribute__((noinline)) void Outputs(const GemmS8Block& t) {
  const GemmS8Output& o = *t.output;
  const Requantize8 requantize(o.multipliers, o.multipliers + 4, o.zero_point, o.lo, o.hi);
  const int32x4_t low = vld1q_s32(o.bias), high = vld1q_s32(o.bias + 4);
  const size_t stride = o.stride;
  int8_t* y = o.y;
  size_t left = t.m;
  ForGemmS8Tiles<R, kNr>(t.m, t.a, t.a_stride, t.sums, [&](const char* const(&rows)[R], int32_t*) {
    int32x4_t acc[R][2];
    Multiply<R>(t.depth, rows, t.b, low, high, acc);
    const int exist = left < R ? static_cast<int>(left) : R;
#pragma GCC unroll 8
    for (int i = 0; i < R; ++i, y += stride) {
      if (i == exist) return;
      vst1_s8(y, requantize(acc[i][0], acc[i][1]));
    }
    left -= R;
  });
}

template <int R>
__attribute__((noinline)) void Sums(const GemmS8Block& t) {
  const int32x4_t zero = vdupq_n_s32(0);
  ForGemmS8Tiles<R, kNr>(t.m, t.a, t.a_stride, t.sums, [&](const char* const(&rows)[R], int32_t* tile) {
    int32x4_t acc[R][2];
    Multiply<R>(t.depth, rows, t.b, zero, zero, acc);
#pragma GCC unroll 8
    for (int i = 0; i < R; ++i) {
      vst1q_s32(tile + i * kNr, acc[i][0]);
      vst1q_s32(tile + i * kNr + 4, acc[i][1]);
    }
  });
}

}  // namespace

void GemmS8_dotprod_8x8(const GemmS8Block& t) {
  if (t.output != nullptr && t.n == kNr) {
    *t.written = true;
    return t.m == 1 ? Outputs<1>(t) : Outputs<kMr>(t);
  }
  t.m == 1 ? Sums<1>(t) : Sums<kMr>(t);
}

}  // namespace micrort
