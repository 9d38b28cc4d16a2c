// int8 GEMM with matrix instructions: eight depth steps of two rows times the same of two columns, which
// gives two sums of the one row, then two of the other.

#include <arm_neon.h>

#include "arm/neon/load_pair_aarch64.h"
#include "kernels/gemm/gemm_s8.h"

namespace micrort {
namespace {

constexpr int kNr = 12, kKr = 8, kColumnPairs = kNr / 2;

// Eight depth steps of two rows side by side, and on to the next.
inline int8x16_t LoadRows(const int8_t** first, const int8_t** second) {
  struct Eight {
    int8_t x[kKr];
  };
  int8x16_t v;
  __asm__("ldr %d0, [%1], #8" : "=w"(v), "+r"(*first) : "m"(*reinterpret_cast<const Eight*>(*first)));
  __asm__("ld1 {%0.d}[1], [%1], #8" : "+w"(v), "+r"(*second) : "m"(*reinterpret_cast<const Eight*>(*second)));
  return v;
}

// Adds the products of P pairs of rows.
template <int P>
inline void Multiply(size_t depth, const int8_t* (&a)[2 * P], const int8_t* b,
                     int32x4_t (&acc)[P][kColumnPairs]) {
#pragma GCC unroll 1
  for (size_t left = depth; left > 0; left -= kKr) {
    int8x16_t rows[P];
#pragma GCC unroll 4
    for (int p = 0; p < P; ++p) rows[p] = LoadRows(&a[2 * p], &a[2 * p + 1]);
#pragma GCC unroll 3
    for (int j = 0; j < kColumnPairs; j += 2) {
      int8x16_t b0, b1;
      LoadPair<4 * kKr>(&b, &b0, &b1);
#pragma GCC unroll 4
      for (int p = 0; p < P; ++p) acc[p][j] = vmmlaq_s32(acc[p][j], rows[p], b0);
#pragma GCC unroll 4
      for (int p = 0; p < P; ++p) acc[p][j + 1] = vmmlaq_s32(acc[p][j + 1], rows[p], b1);
    }
  }
}

// Two rows of sums to outputs: scaled, rounded and clamped where they are, then parted.
class RequantizePair {
 public:
  explicit RequantizePair(const GemmS8Output& o)
      : zero_point_(vdupq_n_s16(static_cast<int16_t>(o.zero_point))),
        lo_(vdupq_n_s8(static_cast<int8_t>(o.lo))),
        hi_(vdupq_n_s8(static_cast<int8_t>(o.hi))) {
#pragma GCC unroll 6
    for (int j = 0; j < kColumnPairs; ++j) {
      const float32x2_t two = vld1_f32(o.multipliers + 2 * j);
      multipliers_[j] = vcombine_f32(two, two);
    }
  }

  int16x8_t Rounded(const int32x4_t (&sums)[kColumnPairs], int j) const {
    return vqaddq_s16(vqmovn_high_s32(vqmovn_s32(Scaled(sums, j)), Scaled(sums, j + 1)), zero_point_);
  }
  // The rows, of which the last four bytes are nothing.
  void operator()(const int32x4_t (&sums)[kColumnPairs], int8x16_t* first, int8x16_t* second) const {
    const int8x16_t low = Clamp(vqmovn_high_s16(vqmovn_s16(Rounded(sums, 0)), Rounded(sums, 2)));
    const int8x8_t rest = vqmovn_s16(Rounded(sums, 4));
    const int16x8_t high = vreinterpretq_s16_s8(Clamp(vcombine_s8(rest, rest)));
    *first = vreinterpretq_s8_s16(vuzp1q_s16(vreinterpretq_s16_s8(low), high));
    *second = vreinterpretq_s8_s16(vuzp2q_s16(vreinterpretq_s16_s8(low), high));
  }

 private:
  int32x4_t Scaled(const int32x4_t (&sums)[kColumnPairs], int j) const {
    return vcvtnq_s32_f32(vmulq_f32(vcvtq_f32_s32(sums[j]), multipliers_[j]));
  }
  int8x16_t Clamp(int8x16_t y) const { return vminq_s8(vmaxq_s8(y, lo_), hi_); }

  float32x4_t multipliers_[kColumnPairs];
  int16x8_t zero_point_;
  int8x16_t lo_, hi_;
};

inline void StoreOutputs(int8x16_t v, int8_t* y) {
  vst1_s8(y, vget_low_s8(v));
  const int32_t last = vgetq_lane_s32(vreinterpretq_s32_s8(v), 2);
  __builtin_memcpy(y + 8, &last, sizeof last);
}

template <int P>
inline void StoreSums(const int32x4_t (&acc)[P][kColumnPairs], int32_t* sums) {
#pragma GCC unroll 4
  for (int p = 0; p < P; ++p, sums += 2 * kNr) {
#pragma GCC unroll 6
    for (int j = 0; j < kColumnPairs; ++j) {
      vst1_s32(sums + 2 * j, vget_low_s32(acc[p][j]));
      vst1_s32(sums + kNr + 2 * j, vget_high_s32(acc[p][j]));
    }
  }
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
  int32x4_t acc[P][kColumnPairs];
#pragma GCC unroll 6
  for (int j = 0; j < kColumnPairs; ++j) {
    int32x2_t start = vdup_n_s32(0);
    if (t.output != nullptr) start = vld1_s32(t.output->bias + 2 * j);
#pragma GCC unroll 4
    for (int p = 0; p < P; ++p) acc[p][j] = vcombine_s32(start, start);
  }
  Multiply<P>(t.depth, a, t.b, acc);
  if (t.output == nullptr) return StoreSums(acc, t.sums + first * kNr);
  const GemmS8Output& o = *t.output;
  const RequantizePair requantize(o);
  // Where columns do not exist, outputs are copied afterwards.
  int8_t whole_rows[2 * P * kNr];
  const bool whole = t.n == kNr;
  const size_t stride = whole ? o.stride : kNr;
  int8_t* y = whole ? o.y + first * stride : whole_rows;
  const int rows = static_cast<int>(t.m - first);
#pragma GCC unroll 4
  for (int p = 0; p < P; ++p, y += 2 * stride) {
    if (2 * p >= rows) break;
    int8x16_t even, odd;
    requantize(acc[p], &even, &odd);
    StoreOutputs(even, y);
    if (2 * p + 1 < rows) StoreOutputs(odd, y + stride);
  }
  for (size_t i = 0; !whole && i < 2 * P && first + i < t.m; ++i) {
    __builtin_memcpy(o.y + (first + i) * o.stride, whole_rows + i * kNr, t.n);
  }
}

}  // namespace

void GemmS8_i8mm_8x12(const GemmS8Block& t) {
  if (t.output != nullptr) *t.written = true;
  size_t i = 0;
  for (; i + 4 < t.m; i += 8) RunPairs<4>(t, i);
  if (i + 2 < t.m) return RunPairs<2>(t, i);
  if (i < t.m) RunPairs<1>(t, i);
}

}  // namespace micrort
