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
  if (o.slopes != nullptr && v < 0) v = v * o.slopes[j];
  v = v < o.hi ? v : o.hi;
  return Rounded(v > o.lo ? v : o.lo);
}

template <typename Scale>
inline void ScaleColumn(const int32_t* sum, size_t sum_stride, int32_t bias, const Scale& scale,
                        int32_t zero_point, size_t rows, int8_t* y, size_t stride) {
  do {
    *y = Saturated8(scale(WrappedAdd(*sum, bias)) + zero_point);
    sum += sum_stride;
    y += stride;
  } while (--rows != 0);
}

// All but the clamp, for rows with one quantization. Locals are copies, which no output can overlap.
void ScaleTile(const AccumulatorTile& t, const RequantizeOutput& o) {
  const int32_t *acc = t.acc, *bias = t.bias, *multiplier = t.fixed_multipliers, *shift = t.shifts;
  const size_t rows = t.m, sum_stride = t.acc_stride, stride = o.stride;
  const int32_t zero_point = o.zero_point;
  int8_t* out = o.y;
  for (const int8_t* const end = out + t.n; out != end; ++out, ++acc, ++bias, ++multiplier, ++shift) {
    const FixedMultiplier by = {*multiplier, *shift};
    if (FixedScaleDown::Takes(by)) {
      ScaleColumn(acc, sum_stride, *bias, FixedScaleDown(by), zero_point, rows, out, stride);
    } else {
      ScaleColumn(acc, sum_stride, *bias, FixedScale(by), zero_point, rows, out, stride);
    }
  }
}

// The same for rows of their own zero points.
void ScaleRows(const AccumulatorTile& t, const RequantizeOutput& o) {
  for (size_t j = 0; j < t.n; ++j) {
    const FixedScale scale({t.fixed_multipliers[j], t.shifts[j]});
    for (size_t i = 0; i < t.m; ++i) o.y[i * o.stride + j] = Saturated8(scale(Sum(t, i, j)) + o.zero_point);
  }
}

void ClampTile(const AccumulatorTile& t, const RequantizeOutput& o, int32_t lo, int32_t hi) {
  for (size_t i = 0; i < t.m; ++i) {
    for (int8_t* y = o.y + i * o.stride; y != o.y + i * o.stride + t.n; ++y) {
      *y = static_cast<int8_t>(*y < lo ? lo : *y > hi ? hi : *y);
    }
  }
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
  if (t.m == 0) return;
  if (t.row_zero_points == nullptr) {
    ScaleTile(t, o);
  } else {
    ScaleRows(t, o);
  }
  const int32_t lo = static_cast<int32_t>(o.lo) + o.zero_point,
                hi = static_cast<int32_t>(o.hi) + o.zero_point;
  if (lo > INT8_MIN || hi < INT8_MAX) ClampTile(t, o, lo, hi);
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
