// int8 GEMM without dot-product instructions: depth runs along the lanes. Products of sixteen depth steps are
// added by two into int16, and these into int32 sums, whose four lanes are added up at the end. Two products
// of int8 fit into int16 unless all four factors are -128; matrices with such elements take a multiplication
// more.

#include <arm_neon.h>

#include "arm/neon/requantize_8_neon.h"
#include "kernels/gemm/gemm_s8.h"

namespace micrort {
namespace {

constexpr int kNr = 4, kKr = 16;
// As many rows as sums, their rows and products fit into registers.
constexpr int kMr = MICRORT_ARCH_ARM64 ? 4 : 2;

template <bool kFullRange>
inline int32x4_t MulAdd(int32x4_t sum, int8x16_t x, int8x16_t y) {
#if MICRORT_ARCH_ARM64
  const int16x8_t low = vmull_s8(vget_low_s8(x), vget_low_s8(y));
  if (kFullRange) return vpadalq_s16(vpadalq_s16(sum, low), vmull_high_s8(x, y));
  return vpadalq_s16(sum, vmlal_high_s8(low, x, y));
#else
  const int16x8_t low = vmull_s8(vget_low_s8(x), vget_low_s8(y));
  if (kFullRange) return vpadalq_s16(vpadalq_s16(sum, low), vmull_s8(vget_high_s8(x), vget_high_s8(y)));
  return vpadalq_s16(sum, vmlal_s8(low, vget_high_s8(x), vget_high_s8(y)));
#endif
}

// The sum of each operand's lanes.
inline int32x4_t AddLanes(int32x4_t a, int32x4_t b, int32x4_t c, int32x4_t d) {
#if MICRORT_ARCH_ARM64
  return vpaddq_s32(vpaddq_s32(a, b), vpaddq_s32(c, d));
#else
  const auto halves = [](int32x4_t v) { return vadd_s32(vget_low_s32(v), vget_high_s32(v)); };
  return vcombine_s32(vpadd_s32(halves(a), halves(b)), vpadd_s32(halves(c), halves(d)));
#endif
}

// M rows of four sums each.
template <int M, bool kFullRange>
inline void Multiply(const GemmS8Block& t, const int8_t* const (&a)[M], int32x4_t (&rows)[M]) {
  int32x4_t acc[M][kNr];
#pragma GCC unroll 4
  for (int i = 0; i < M; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < kNr; ++j) acc[i][j] = vdupq_n_s32(0);
  }
  const int8_t* b = t.b;
  const size_t depth = t.depth;
  for (size_t k = 0; k < depth; k += kKr, b += kNr * kKr) {
    int8x16_t x[M];
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i) x[i] = vld1q_s8(a[i] + k);
#pragma GCC unroll 4
    for (int j = 0; j < kNr; ++j) {
      const int8x16_t column = vld1q_s8(b + kKr * j);
#pragma GCC unroll 4
      for (int i = 0; i < M; ++i) acc[i][j] = MulAdd<kFullRange>(acc[i][j], x[i], column);
    }
  }
#pragma GCC unroll 4
  for (int i = 0; i < M; ++i) rows[i] = AddLanes(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}

template <int Half>
inline void StoreFour(int8x8_t v, int8_t* y) {
  const int32_t four = vget_lane_s32(vreinterpret_s32_s8(v), Half);
  __builtin_memcpy(y, &four, kNr);
}

// Rows [first, first + M), of which those before t.m exist.
template <int M, bool kFullRange>
inline void RunRows(const GemmS8Block& t, size_t first) {
  const size_t stride = t.a_stride, last = t.m - first - 1;
  const int8_t* a[M];
  const auto* row = static_cast<const int8_t*>(t.a) + first * stride;
#pragma GCC unroll 4
  for (size_t i = 0; i < M; ++i) {
    a[i] = row;
    if (i < last) row += stride;
  }
  int32x4_t sums[M];
  Multiply<M, kFullRange>(t, a, sums);
  if (t.output == nullptr) {
#pragma GCC unroll 4
    for (size_t i = 0; i < M; ++i) vst1q_s32(t.sums + (first + i) * kNr, sums[i]);
    return;
  }
  const GemmS8Output& o = *t.output;
  const Requantize8 requantize(o.multipliers, o.multipliers, o.zero_point, o.lo, o.hi);
  const int32x4_t bias = vld1q_s32(o.bias);
  // Where columns do not exist, outputs are copied afterwards.
  int8_t whole_rows[M * kNr];
  const bool whole = t.n == kNr;
  const size_t y_stride = whole ? o.stride : kNr;
  int8_t* y = whole ? o.y + first * y_stride : whole_rows;
#pragma GCC unroll 2
  for (size_t i = 0; i < M; i += 2, y += 2 * y_stride) {
    if (i > last) break;
    const int8x8_t two = requantize(vaddq_s32(sums[i], bias), vaddq_s32(sums[i + 1 < M ? i + 1 : i], bias));
    StoreFour<0>(two, y);
    if (i + 1 < M && i + 1 <= last) StoreFour<1>(two, y + y_stride);
  }
  for (size_t i = 0; !whole && i < M && i <= last; ++i) {
    __builtin_memcpy(o.y + (first + i) * o.stride, whole_rows + i * kNr, t.n);
  }
}

template <bool kFullRange>
__attribute__((noinline)) void Run(const GemmS8Block& t) {
  size_t i = 0;
  for (; i + 1 < t.m; i += kMr) RunRows<kMr, kFullRange>(t, i);
  if (i < t.m) RunRows<1, kFullRange>(t, i);
}

inline void RunBlock(const GemmS8Block& t) {
  if (t.output != nullptr) *t.written = true;
  t.full_range ? Run<true>(t) : Run<false>(t);
}

}  // namespace

#if MICRORT_ARCH_ARM64
void GemmS8_neon_4x4(const GemmS8Block& block) { RunBlock(block); }
#else
void GemmS8_neon_2x4(const GemmS8Block& block) { RunBlock(block); }
#endif

}  // namespace micrort
