// Sums and products of int8 for AArch64: zero points are subtracted as bytes become 16-bit integers, and
// added to results of 16 bits, which saturate on their way.

#include <arm_neon.h>

#include "kernels/elementwise/binary_s8.h"

namespace micrort {
namespace {

struct Floats8 {
  float32x4_t low, high;
};

// Elements of an operand, eight at a time.
class Operand {
 public:
  // One that meets all is there eight times, in `same`.
  Operand(const int8_t* data, size_t stride, QuantizationParams q, int8_t (&same)[8])
      : data_(stride == 0 ? same : data),
        step_(8 * stride),
        zero_(vdup_n_s8(static_cast<int8_t>(q.zero_point))),
        scale_(vdupq_n_f32(q.scale)) {
    if (stride == 0) vst1_s8(same, vdup_n_s8(*data));
  }

  Floats8 Next() {
    const int8x8_t q = vld1_s8(data_);
    data_ += step_;
    return Real(q);
  }
  Floats8 Last(size_t n) const {
    int8_t few[8] = {};
    __builtin_memcpy(few, data_, n);
    return Real(vld1_s8(few));
  }

 private:
  Floats8 Real(int8x8_t q) const {
    const int16x8_t steps = vsubl_s8(q, zero_);
    return {vmulq_f32(vcvtq_f32_s32(vmovl_s16(vget_low_s16(steps))), scale_),
            vmulq_f32(vcvtq_f32_s32(vmovl_high_s16(steps)), scale_)};
  }

  const int8_t* data_;
  size_t step_;
  int8x8_t zero_;
  float32x4_t scale_;
};

// As kernels/elementwise/convert_f32_impl.h quantizes. What is no number becomes the least one, as there:
// FMAXNM takes the other operand, while FCVTNS would make it 0.
class Quantizer {
 public:
  explicit Quantizer(QuantizationParams q)
      : scale_(vdupq_n_f32(q.scale)),
        low_(vdupq_n_f32(static_cast<float>(INT8_MIN - q.zero_point))),
        zero_(vdupq_n_s16(static_cast<int16_t>(q.zero_point))) {}
  int8x8_t operator()(Floats8 v) const {
    const int16x8_t steps = vqmovn_high_s32(vqmovn_s32(Steps(v.low)), Steps(v.high));
    return vqmovn_s16(vqaddq_s16(steps, zero_));
  }

 private:
  int32x4_t Steps(float32x4_t v) const { return vcvtnq_s32_f32(vmaxnmq_f32(vdivq_f32(v, scale_), low_)); }

  float32x4_t scale_, low_;
  int16x8_t zero_;
};

// FMAX and FMIN let a NaN through.
struct Clamp {
  float32x4_t lo, hi;

  float32x4_t operator()(float32x4_t v) const { return vmaxq_f32(lo, vminq_f32(hi, v)); }
};
struct NoClamp {
  float32x4_t operator()(float32x4_t v) const { return v; }
};

struct Add {
  float32x4_t operator()(float32x4_t a, float32x4_t b) const { return vaddq_f32(a, b); }
};
struct Subtract {
  float32x4_t operator()(float32x4_t a, float32x4_t b) const { return vsubq_f32(a, b); }
};
struct Multiply {
  float32x4_t operator()(float32x4_t a, float32x4_t b) const { return vmulq_f32(a, b); }
};

struct Arrays {
  const int8_t* a;
  size_t a_stride;
  const int8_t* b;
  size_t b_stride;
  int8_t* y;
  size_t n;
};

template <typename Function, typename Limit>
void Map(const BinaryS8Op& op, const Arrays& arrays, Limit limit) {
  int8_t same[2][8];
  Operand first(arrays.a, arrays.a_stride, op.a, same[0]), second(arrays.b, arrays.b_stride, op.b, same[1]);
  const Quantizer quantize(op.y);
  const Function function;
  const auto result = [&](Floats8 u, Floats8 v) {
    return quantize({limit(function(u.low, v.low)), limit(function(u.high, v.high))});
  };
  int8_t* y = arrays.y;
  size_t left = arrays.n;
#pragma GCC unroll 1
  for (; left >= 8; left -= 8, y += 8) {
    const Floats8 u = first.Next(), v = second.Next();
    vst1_s8(y, result(u, v));
  }
  if (left == 0) return;
  int8_t few[8];
  vst1_s8(few, result(first.Last(left), second.Last(left)));
  __builtin_memcpy(y, few, left);
}

template <typename Function>
void Run(const BinaryS8Op& op, const Arrays& arrays) {
  if (!op.clamps) return Map<Function>(op, arrays, NoClamp());
  Map<Function>(op, arrays, Clamp{vdupq_n_f32(op.lo), vdupq_n_f32(op.hi)});
}

}  // namespace

void BinaryS8_neon(const BinaryS8Op& op, const int8_t* a, size_t a_stride, const int8_t* b, size_t b_stride,
                   int8_t* y, size_t n) {
  if (n == 0) return;
  const Arrays arrays = {a, a_stride, b, b_stride, y, n};
  switch (op.kind) {
    case BinaryKind::kAdd:
      return Run<Add>(op, arrays);
    case BinaryKind::kSub:
      return Run<Subtract>(op, arrays);
    default:
      return Run<Multiply>(op, arrays);
  }
}

}  // namespace micrort
