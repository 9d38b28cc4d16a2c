// One element at a time: the core has no vectors, and the panels of its GEMM are four columns wide.

#include "arm/dsp/dsp_math.h"
#include "arm/dsp/fixed_scale.h"
#include "kernels/gemm/requantize.h"

namespace micrort {

namespace {

inline int32_t Sum(const AccumulatorTile& t, size_t i, size_t j) {
  const int32_t sum = WrappedAdd(t.acc[i * t.acc_stride + j], t.bias[j]);
  if (t.row_zero_points == nullptr) return sum;
  const uint32_t shift =
      static_cast<uint32_t>(t.row_zero_points[i]) * static_cast<uint32_t>(t.column_sums[j]);
  return static_cast<int32_t>(static_cast<uint32_t>(sum) - shift);
}

inline float Scaled(const AccumulatorTile& t, size_t i, size_t j) {
  const auto sum = static_cast<float>(Sum(t, i, j));
  return t.row_scales == nullptr ? sum * t.multipliers[j] : sum * (t.row_scales[i] * t.multipliers[j]);
}

inline int32_t Output(const AccumulatorTile& t, const RequantizeOutput& o, size_t i, size_t j) {
  float v = Scaled(t, i, j);
  if (o.residual != nullptr) {
    v = v + static_cast<float>(o.residual[i * o.stride + j] - o.residual_zero_point) * o.residual_ratio;
  }
  v = v < o.hi ? v : o.hi;
  return Rounded(v > o.lo ? v : o.lo);
}

}  // namespace

void RequantizeS8_dsp(const AccumulatorTile& t, const RequantizeOutput& o) {
  for (size_t i = 0; i < t.m; ++i) {
    for (size_t j = 0; j < t.n; ++j) {
      o.y[i * o.stride + j] = static_cast<int8_t>(Output(t, o, i, j) + o.zero_point);
    }
  }
}

void RequantizeFixedS8_dsp(const AccumulatorTile& t, const RequantizeOutput& o) {
  const auto lo = static_cast<int32_t>(o.lo), hi = static_cast<int32_t>(o.hi);
  for (size_t j = 0; j < t.n; ++j) {
    const FixedScale scale({t.fixed_multipliers[j], t.shifts[j]});
    int8_t* y = o.y + j;
    if (t.row_zero_points != nullptr) {
      for (size_t i = 0; i < t.m; ++i, y += o.stride) {
        const int32_t v = scale(Sum(t, i, j));
        *y = static_cast<int8_t>((v < lo ? lo : v > hi ? hi : v) + o.zero_point);
      }
      continue;
    }
    const int32_t* acc = t.acc + j;
    const int32_t bias = t.bias[j];
    for (size_t i = 0; i < t.m; ++i, acc += t.acc_stride, y += o.stride) {
      const int32_t v = scale(WrappedAdd(*acc, bias));
      *y = static_cast<int8_t>((v < lo ? lo : v > hi ? hi : v) + o.zero_point);
    }
  }
}

void RequantizeF32_dsp(const AccumulatorTile& t, const DequantizeOutput& o) {
  for (size_t i = 0; i < t.m; ++i) {
    for (size_t j = 0; j < t.n; ++j) {
      float v = Scaled(t, i, j) + (o.bias == nullptr ? 0.0f : o.bias[j]);
      if (o.residual != nullptr) v = v + o.residual[i * o.stride + j];
      // In this order of operands a NaN passes through.
      const float below = o.hi < v ? o.hi : v;
      o.y[i * o.stride + j] = o.lo > below ? o.lo : below;
    }
  }
}

}  // namespace micrort
