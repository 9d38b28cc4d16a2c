#pragma once
// Contract of the GEMM micro-kernels that multiply and sum in half precision: as GemmF32Tile
// (kernels/gemm/gemm_f32.h), over binary16 patterns.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

// C[i][j] = clamp(start[i][j] + float(sum over t, k of A[t][i][k] * B[t][k][j]) + bias[j]). The sum is of
// halves, in this order; what exceeds their range becomes infinite. A longer sum is cut into several calls,
// each starting from the last one's C, so that few halves are summed up at a time.
struct GemmF16Tile {
  size_t m, n;               // elements of C that exist: 1..mr rows, 1..nr columns
  size_t taps, channels;     // K = taps * channels
  const uint16_t* const* a;  // [taps][mr], all readable
  size_t a_offset;           // elements added to every pointer of a
  const uint16_t* b;         // packed [taps * channels][nr]
  float* c;
  size_t c_stride;      // elements from row to row
  const float* bias;    // [n], or null
  const float* start;   // [m][n] with start_stride, or null: zero. May be C itself
  size_t start_stride;  // elements
  float lo, hi;         // -inf and +inf for no clamp; a NaN stays NaN
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

// Of builds that know instruction sets with half arithmetic; the algorithm that needs them is not in others.
Span<const GemmF16Kernel> GemmF16Kernels();

#define MICRORT_GEMM_F16(name, set, mr, nr, lanes) void GemmF16_##name(const GemmF16Tile& tile);
#include "kernels/gemm/gemm_f16.inc"
#undef MICRORT_GEMM_F16

}  // namespace micrort
