#include "arm/neon/requantize_8_neon.h"
#include "arm/neon/vec8_neon.h"
#include "kernels/gemm/requantize_impl.h"

namespace micrort {
namespace {

// Eight columns at a time of all rows, with or without a residual or slopes.
struct EightColumns {
  static size_t Run(const AccumulatorTile& t, const RequantizeOutput& o) {
    // Rounding keeps the order of numbers: rounded bounds clamp rounded values.
    const int32_t lo = o.zero_point + Rounded(o.lo), hi = o.zero_point + Rounded(o.hi);
    size_t j = 0;
    for (; j + 8 <= t.n; j += 8) {
      const Requantize8 requantize(t.multipliers + j, t.multipliers + j + 4, o.zero_point, lo, hi);
      if (o.residual != nullptr) {
        o.slopes == nullptr ? WithResidual<false>(t, o, j, requantize)
                            : WithResidual<true>(t, o, j, requantize);
      } else if (o.slopes != nullptr) {
        WithSlopes(t, o, j, requantize);
      } else {
        Plain(t, o, j, requantize);
      }
    }
    return j;
  }

 private:
  static int32_t Rounded(float x) { return vgetq_lane_s32(RoundToInt(F32x8::Broadcast(x)).low, 0); }

  static void Plain(const AccumulatorTile& t, const RequantizeOutput& o, size_t j,
                    const Requantize8& requantize) {
    const int32x4_t low = vld1q_s32(t.bias + j), high = vld1q_s32(t.bias + j + 4);
    const size_t rows = t.m, acc_stride = t.acc_stride, stride = o.stride;
    const int32_t* acc = t.acc + j;
    int8_t* y = o.y + j;
    for (size_t i = 0; i < rows; ++i, acc += acc_stride, y += stride) {
      vst1_s8(y, requantize(vaddq_s32(vld1q_s32(acc), low), vaddq_s32(vld1q_s32(acc + 4), high)));
    }
  }

  static float32x4_t BySlopes(float32x4_t v, float32x4_t slopes) {
    return vbslq_f32(vcltq_f32(v, vdupq_n_f32(0)), vmulq_f32(v, slopes), v);
  }

  static void WithSlopes(const AccumulatorTile& t, const RequantizeOutput& o, size_t j,
                         const Requantize8& requantize) {
    const int32x4_t low = vld1q_s32(t.bias + j), high = vld1q_s32(t.bias + j + 4);
    const float32x4_t by_low = vld1q_f32(o.slopes + j), by_high = vld1q_f32(o.slopes + j + 4);
    const size_t rows = t.m, acc_stride = t.acc_stride, stride = o.stride;
    const int32_t* acc = t.acc + j;
    int8_t* y = o.y + j;
    for (size_t i = 0; i < rows; ++i, acc += acc_stride, y += stride) {
      const float32x4_t v_low = requantize.ScaledLow(vaddq_s32(vld1q_s32(acc), low));
      const float32x4_t v_high = requantize.ScaledHigh(vaddq_s32(vld1q_s32(acc + 4), high));
      vst1_s8(y, requantize.Rounded(BySlopes(v_low, by_low), BySlopes(v_high, by_high)));
    }
  }

  template <bool kSlopes>
  static void WithResidual(const AccumulatorTile& t, const RequantizeOutput& o, size_t j,
                           const Requantize8& requantize) {
    const int32x4_t low = vld1q_s32(t.bias + j), high = vld1q_s32(t.bias + j + 4);
    const int16x8_t zero = vdupq_n_s16(static_cast<int16_t>(o.residual_zero_point));
    const float32x4_t ratio = vdupq_n_f32(o.residual_ratio);
    const float32x4_t by_low = vld1q_f32(kSlopes ? o.slopes + j : t.multipliers + j);
    const float32x4_t by_high = vld1q_f32(kSlopes ? o.slopes + j + 4 : t.multipliers + j + 4);
    const size_t rows = t.m, acc_stride = t.acc_stride, stride = o.stride;
    const int32_t* acc = t.acc + j;
    const int8_t* residual = o.residual + j;
    int8_t* y = o.y + j;
    for (size_t i = 0; i < rows; ++i, acc += acc_stride, y += stride, residual += stride) {
      const int16x8_t r = vsubq_s16(vmovl_s8(vld1_s8(residual)), zero);
      const float32x4_t r_low = vmulq_f32(vcvtq_f32_s32(vmovl_s16(vget_low_s16(r))), ratio);
      const float32x4_t r_high = vmulq_f32(vcvtq_f32_s32(vmovl_s16(vget_high_s16(r))), ratio);
      float32x4_t v_low = vaddq_f32(requantize.ScaledLow(vaddq_s32(vld1q_s32(acc), low)), r_low);
      float32x4_t v_high = vaddq_f32(requantize.ScaledHigh(vaddq_s32(vld1q_s32(acc + 4), high)), r_high);
      if (kSlopes) {
        v_low = BySlopes(v_low, by_low);
        v_high = BySlopes(v_high, by_high);
      }
      vst1_s8(y, requantize.Rounded(v_low, v_high));
    }
  }
};

}  // namespace

void RequantizeS8_neon(const AccumulatorTile& tile, const RequantizeOutput& out) {
  RequantizeS8<F32x8, EightColumns>(tile, out);
}
void RequantizeFixedS8_neon(const AccumulatorTile& tile, const RequantizeOutput& out) {
  RequantizeFixedS8<F32x8>(tile, out);
}
void RequantizeF32_neon(const AccumulatorTile& tile, const DequantizeOutput& out) {
  RequantizeF32<F32x8>(tile, out);
}

}  // namespace micrort
