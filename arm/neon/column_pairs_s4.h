#pragma once
// Sums of 16 columns, two of which share the bytes of weights (Int4Halves::kColumns, kEights). A byte b is
// 16 * upper half + lower half, so that a product by b and one by its lower half give the sums of both
// columns: the upper half is never parted from b.

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "arm/neon/load_pair_aarch64.h"
#include "arm/neon/vec4_s4.h"

namespace micrort {

namespace {

// One row's sums of products by bytes and by their lower halves, a vector of four columns after the other.
struct ColumnPairSums {
  int32x4_t both[2], lower[2];
};

template <bool kHalfScales, bool kZeroPoints>
struct ColumnPairs {
  static constexpr size_t kColumns = 16, kHalf = kColumns / 2;
  static constexpr int kVectors = 4;  // of columns: 0 and 1 of lower halves, 2 and 3 of upper ones

  // What the sum of a row's elements is multiplied by: the zero points of lower halves, less than zero, and
  // what those of upper halves, which are kInt4Center less than weights, differ from them.
  struct ZeroPoints {
    int32x4_t lower[2], upper[2];
  };

  static inline void LoadZeroPoints(const uint8_t* b, ZeroPoints* z) {
    if (!kZeroPoints) return;
    const uint8x8_t both = vld1_u8(b + kColumns * (kHalfScales ? sizeof(uint16_t) : sizeof(float)));
    const int16x8_t lower = vreinterpretq_s16_u16(vmovl_u8(vand_u8(both, vdup_n_u8(15))));
    const int16x8_t upper = vreinterpretq_s16_u16(vmovl_u8(vshr_n_u8(both, 4)));
    Widen(vnegq_s16(lower), z->lower);
    Widen(vsubq_s16(vdupq_n_s16(kInt4Center), upper), z->upper);
  }

  // Subtracts the zero points of lower halves once; those of upper halves are in both sums.
  static inline void Begin(const ZeroPoints& z, int32_t n, ColumnPairSums* s) {
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v)
      s->lower[v] = s->both[v] = kZeroPoints ? vmulq_n_s32(z.lower[v], n) : Vec4S4::Start(n);
  }

  static inline void LoadScales(const uint8_t* b, float32x4_t (&scales)[kVectors]) {
    if (!kHalfScales) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) scales[v] = Vec4S4::LoadFloats(b + 16 * v);
      return;
    }
    float16x8_t lower, upper;
    LoadPairAt(b, &lower, &upper);
    scales[0] = vcvt_f32_f16(vget_low_f16(lower));
    scales[1] = vcvt_high_f32_f16(lower);
    scales[2] = vcvt_f32_f16(vget_low_f16(upper));
    scales[3] = vcvt_high_f32_f16(upper);
  }

  // total += a group's sums * scales * of_row, in this order. n: as in Begin.
  static inline void AddScaled(const ZeroPoints& z, const ColumnPairSums& s,
                               const float32x4_t (&scales)[kVectors], int32_t n, float of_row,
                               float32x4_t (&total)[kVectors]) {
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v) {
      const int32x4_t upper = vsubq_s32(s.both[v], s.lower[v]);  // 16 times
      total[v] = Vec4S4::AddScaled(total[v], s.lower[v], scales[v], of_row);
      const float32x4_t scaled = vmulq_f32(Upper(z, upper, v, n), scales[2 + v]);
      total[2 + v] = vaddq_f32(total[2 + v], vmulq_n_f32(scaled, of_row));
    }
  }

 private:
  static inline void Widen(int16x8_t x, int32x4_t (&y)[2]) {
    y[0] = vmovl_s16(vget_low_s16(x));
    y[1] = vmovl_high_s16(x);
  }
  // The sums of upper halves. The float of 16 times a sum is 16 times its float.
  static inline float32x4_t Upper(const ZeroPoints& z, int32x4_t sixteenfold, int v, int32_t n) {
    if (!kZeroPoints) return vcvtq_n_f32_s32(sixteenfold, 4);
    return vcvtq_f32_s32(vsraq_n_s32(vmulq_n_s32(z.upper[v], n), sixteenfold, 4));
  }
};

}  // namespace

}  // namespace micrort
