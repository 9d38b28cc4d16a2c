// int8 GEMM with matrix instructions: eight depth steps of two rows times the same of two columns.

#include <arm_neon.h>

#include "arm/neon/load_pair_aarch64.h"
#include "arm/neon/requantize_8_neon.h"
#include "kernels/gemm/gemm_s8.h"

namespace micrort {
namespace {

constexpr int kNr = 8, kKr = 8;

// Adds the products of eight depth steps: P pairs of rows, as [row][8], times four pairs of columns.
template <int P>
inline void MultiplyStep(const int8x16_t (&pairs)[P], const int8_t** b, int32x4_t (&acc)[P][4]) {
#pragma GCC unroll 2
  for (int j = 0; j < 4; j += 2) {
    int8x16_t b0, b1;
    LoadPair<4 * kKr>(b, &b0, &b1);
#pragma GCC unroll 4
    for (int p = 0; p < P; ++p) acc[p][j] = vmmlaq_s32(acc[p][j], pairs[p], b0);
#pragma GCC unroll 4
    for (int p = 0; p < P; ++p) acc[p][j + 1] = vmmlaq_s32(acc[p][j + 1], pairs[p], b1);
  }
}

inline int8x16_t FirstHalves(int8x16_t a, int8x16_t b) {
  return vreinterpretq_s8_s64(vzip1q_s64(vreinterpretq_s64_s8(a), vreinterpretq_s64_s8(b)));
}
inline int8x16_t SecondHalves(int8x16_t a, int8x16_t b) {
  return vreinterpretq_s8_s64(vzip2q_s64(vreinterpretq_s64_s8(a), vreinterpretq_s64_s8(b)));
}
inline int32x4_t FirstHalves(int32x4_t a, int32x4_t b) {
  return vreinterpretq_s32_s64(vzip1q_s64(vreinterpretq_s64_s32(a), vreinterpretq_s64_s32(b)));
}
inline int32x4_t SecondHalves(int32x4_t a, int32x4_t b) {
  return vreinterpretq_s32_s64(vzip2q_s64(vreinterpretq_s64_s32(a), vreinterpretq_s64_s32(b)));
}

template <int P>
inline void Multiply(size_t depth, const int8_t* const (&a)[2 * P], const int8_t* b, int32x4_t (&acc)[P][4]) {
#pragma GCC unroll 4
  for (int p = 0; p < P; ++p) {
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) acc[p][j] = vdupq_n_s32(0);
  }
  size_t k = 0;
  for (; k + 2 * kKr <= depth; k += 2 * kKr) {
    int8x16_t rows[2 * P], pairs[P];
#pragma GCC unroll 8
    for (int i = 0; i < 2 * P; ++i) rows[i] = vld1q_s8(a[i] + k);
#pragma GCC unroll 4
    for (int p = 0; p < P; ++p) pairs[p] = FirstHalves(rows[2 * p], rows[2 * p + 1]);
    MultiplyStep(pairs, &b, acc);
#pragma GCC unroll 4
    for (int p = 0; p < P; ++p) pairs[p] = SecondHalves(rows[2 * p], rows[2 * p + 1]);
    MultiplyStep(pairs, &b, acc);
  }
  if (k == depth) return;
  int8x16_t pairs[P];
#pragma GCC unroll 4
  for (int p = 0; p < P; ++p) pairs[p] = vcombine_s8(vld1_s8(a[2 * p] + k), vld1_s8(a[2 * p + 1] + k));
  MultiplyStep(pairs, &b, acc);
}

// Rows [first, first + 2 * P), of which those before t.m exist.
template <int P>
__attribute__((noinline)) void RunPairs(const GemmS8Block& t, size_t first) {
  const size_t a_stride = t.a_stride, last = t.m - first - 1;
  const int8_t* a[2 * P];
  const auto* row = static_cast<const int8_t*>(t.a) + first * a_stride;
#pragma GCC unroll 8
  for (size_t i = 0; i < 2 * P; ++i) {
    a[i] = row;
    if (i < last) row += a_stride;
  }
  int32x4_t acc[P][4];
  Multiply<P>(t.depth, a, t.b, acc);
  if (t.output == nullptr) {
    int32_t* sums = t.sums + first * kNr;
#pragma GCC unroll 4
    for (int p = 0; p < P; ++p, sums += 2 * kNr) {
      vst1q_s32(sums, FirstHalves(acc[p][0], acc[p][1]));
      vst1q_s32(sums + 4, FirstHalves(acc[p][2], acc[p][3]));
      vst1q_s32(sums + kNr, SecondHalves(acc[p][0], acc[p][1]));
      vst1q_s32(sums + kNr + 4, SecondHalves(acc[p][2], acc[p][3]));
    }
    return;
  }
  const GemmS8Output& o = *t.output;
  const Requantize8 requantize(o.multipliers, o.multipliers + 4, o.zero_point, o.lo, o.hi);
  const int32x4_t low = vld1q_s32(o.bias), high = vld1q_s32(o.bias + 4);
  // Where columns do not exist, outputs are copied afterwards.
  int8_t whole_rows[2 * P * kNr];
  const bool whole = t.n == kNr;
  const size_t stride = whole ? o.stride : kNr;
  int8_t* y = whole ? o.y + first * stride : whole_rows;
  const int rows = static_cast<int>(t.m - first);
#pragma GCC unroll 4
  for (int p = 0; p < P; ++p, y += 2 * stride) {
    if (2 * p >= rows) break;
    const int8x8_t even = requantize(vaddq_s32(FirstHalves(acc[p][0], acc[p][1]), low),
                                     vaddq_s32(FirstHalves(acc[p][2], acc[p][3]), high));
    const int8x8_t odd = requantize(vaddq_s32(SecondHalves(acc[p][0], acc[p][1]), low),
                                    vaddq_s32(SecondHalves(acc[p][2], acc[p][3]), high));
    vst1_s8(y, even);
    if (2 * p + 1 < rows) vst1_s8(y + stride, odd);
  }
  for (size_t i = 0; !whole && i < 2 * P && first + i < t.m; ++i) {
    __builtin_memcpy(o.y + (first + i) * o.stride, whole_rows + i * kNr, t.n);
  }
}

}  // namespace

void GemmS8_i8mm_8x8(const GemmS8Block& t) {
  if (t.output != nullptr) *t.written = true;
  size_t i = 0;
  for (; i + 4 < t.m; i += 8) RunPairs<4>(t, i);
  if (i + 2 < t.m) return RunPairs<2>(t, i);
  if (i < t.m) RunPairs<1>(t, i);
}

}  // namespace micrort
