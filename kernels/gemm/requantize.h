#pragma once
// Contract of the epilogue of int8 layers: int32 sums to int8 or float, with zero points, scales, bias,
// residual and clamp. Each step is one operation on float32, or all are on integers, so that all variants
// give the same bits.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

// s[i][j] = acc[i][j] + bias[j] - row_zero_points[i] * column_sums[j], all wrapping
// v[i][j] = float(s) * multipliers[j], or float(s) * (row_scales[i] * multipliers[j]), or, with shifts,
//           s * fixed_multipliers[j] * 2^(shifts[j] - 31) as kernels/base/fixed_point.h multiplies
struct AccumulatorTile {
  size_t m, n;
  const int32_t* acc;  // [m][n] with acc_stride
  size_t acc_stride;
  const int32_t* bias;       // [n]; holds what zero points add that are the same for all rows
  const float* multipliers;  // [n]
  // Rows that are quantized each in its own way, or all null: one way for all.
  const int32_t* row_zero_points;  // [m]
  const float* row_scales;         // [m]
  const int32_t* column_sums;      // [n]
  // [n], or null: instead of multipliers and row_scales. Only to int8, without residual.
  const int32_t* fixed_multipliers = nullptr;
  const int32_t* shifts = nullptr;
  // Whether all shifts, if any, are below 0: a variant may have something faster then.
  bool shifts_right = false;
};

// AccumulatorTile::shifts_right of [n] shifts; a look at each, so asked once a layer.
inline bool AreAllRight(const int32_t* shifts, size_t n) {
  int32_t highest = -1;
  for (size_t j = 0; j < n; ++j) highest = shifts[j] > highest ? shifts[j] : highest;
  return highest < 0;
}

// y = zero_point + round_half_even(clamp(prelu(v + float(residual - residual_zero_point) * residual_ratio),
// lo, hi)), where prelu(x) is x * slopes[j] below 0 and x elsewhere
struct RequantizeOutput {
  int8_t* y;               // [m][n]
  const int8_t* residual;  // as y, with its stride; or null. May be y
  size_t stride;
  int32_t zero_point, residual_zero_point;
  float residual_ratio;  // scale of the residual / scale of y
  float lo, hi;          // within [-128 - zero_point, 127 - zero_point]; integers if the tile has shifts
  const float* slopes = nullptr;  // [n], or null: 1; null if the tile has shifts. Then all v are finite
};

// y = clamp(v + bias + residual, lo, hi)
struct DequantizeOutput {
  float* y;               // [m][n]
  const float* bias;      // [n] or null
  const float* residual;  // as y, with its stride; or null. May be y
  size_t stride;
  float lo, hi;  // -inf and +inf for no clamp
};

using RequantizeFn = void (*)(const AccumulatorTile& tile, const RequantizeOutput& out);
using DequantizeTileFn = void (*)(const AccumulatorTile& tile, const DequantizeOutput& out);

template <typename Fn>
struct EpilogueKernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  Fn run;
};
using RequantizeKernel = EpilogueKernel<RequantizeFn>;
using DequantizeTileKernel = EpilogueKernel<DequantizeTileFn>;

// Weakest first; all of one list give the same bits. The lists have the same variants, with the same numbers:
// of tiles without shifts, of tiles with shifts, and to floats.
Span<const RequantizeKernel> RequantizeKernels();
Span<const RequantizeKernel> RequantizeFixedKernels();
Span<const DequantizeTileKernel> DequantizeTileKernels();

#define MICRORT_REQUANTIZE(name, set)                                                      \
  void RequantizeS8_##name(const AccumulatorTile& tile, const RequantizeOutput& out);      \
  void RequantizeFixedS8_##name(const AccumulatorTile& tile, const RequantizeOutput& out); \
  void RequantizeF32_##name(const AccumulatorTile& tile, const DequantizeOutput& out);
#include "kernels/gemm/requantize.inc"
#undef MICRORT_REQUANTIZE

}  // namespace micrort
