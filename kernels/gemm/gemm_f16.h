#pragma once
// Contract of the GEMM micro-kernels that multiply and sum in half precision: as GemmF32Tile
// (kernels/gemm/gemm_f32.h), over binary16 patterns.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

// The sum over t, k of A[t][i][k] * B[t][k][j], of halves, in this order; what exceeds their range becomes
// infinite. A longer sum is cut into several calls, each starting from what the last one gave, so that few
// halves are summed up at a time. What follows is in float, the result a half at the end; but where sums
// start from nothing and the result is a half, bias and residual are added in half.
struct GemmF16Tile {
  size_t m, n;               // elements of the result that exist: 1..mr rows, 1..nr columns
  size_t taps, channels;     // K = taps * channels
  const uint16_t* const* a;  // [taps][mr], all readable
  size_t a_offset;           // elements added to every pointer of a
  const uint16_t* b;         // packed [taps * channels][nr]
  const float* start;        // [m][n] with start_stride, or null: nothing. May be c itself
  size_t start_stride;       // elements, as all strides
  const float* bias;         // [n], or null
  const uint16_t* residual;  // [m][n] with y_stride, or null; only of halves. May be y itself
  float lo, hi;              // -inf and +inf for no clamp; a NaN stays NaN. Become halves as the result does
  float* c;                  // the result as floats, or null
  size_t c_stride;
  uint16_t* y;  // the result as halves where c is null
  size_t y_stride;
};

using GemmF16Fn = void (*)(const GemmF16Tile& tile);

struct GemmF16Kernel {
  const char* name;      // "fp16_6x32"
  CpuFeatures features;  // all required
  KernelId id;
  size_t mr, nr;
  size_t lanes;  // halves of one vector register
  GemmF16Fn run;
};

// Only in builds that know instruction sets with half arithmetic; the algorithm that needs them is not in
// others.
Span<const GemmF16Kernel> GemmF16Kernels();

#define MICRORT_GEMM_F16(name, set, mr, nr, lanes) void GemmF16_##name(const GemmF16Tile& tile);
#include "kernels/gemm/gemm_f16.inc"
#undef MICRORT_GEMM_F16

}  // namespace micrort
