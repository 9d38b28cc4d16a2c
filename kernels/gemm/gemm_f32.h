#pragma once
// Contract of the float GEMM micro-kernels: one tile of C = A * B, with the epilogue of a layer.
//
// A is given by pointers to rows of contiguous channels, so that one kernel serves matrices and convolutions
// over NHWC images: a convolution has one pointer a kernel tap and output pixel, a matrix has one tap.

#include <cstddef>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

// C[i][j] = clamp(start[i][j] + sum over t, k of A[t][i][k] * B[t][k][j] + bias[j]). The sum runs in this
// order, so it does not depend on how C was cut into tiles; a sum may also be cut into several calls, each
// starting from the last one's C.
//
// One row alone may be as wide as several panels, so that sums of enough columns proceed at a time.
struct GemmF32Tile {
  // Elements of C that exist: 1..mr rows, or any number where a micro-kernel takes them, and 1..nr columns;
  // others are neither read nor written. n is nr times GemmF32RowPanels for such a row.
  size_t m, n;
  size_t taps, channels;  // K = taps * channels
  const float* const*
      a;            // [taps][mr]; all mr pointers must be readable, those of rows >= m are read but unused
  size_t a_offset;  // elements added to every pointer of a
  size_t a_step;    // pointers from mr rows to the next mr, of more than mr rows
  const float* b;   // packed [taps * channels][nr], columns >= n are zero
  size_t panel_stride;  // elements from this panel to the next, for rows of several
  float* c;
  size_t c_stride;      // elements from row to row
  const float* bias;    // [n], or null
  const float* start;   // [m][n] with start_stride, or null: zero. May be C itself; a residual is added here
  size_t start_stride;  // elements
  float lo, hi;         // -inf and +inf for no clamp; a NaN stays NaN
  // Where what comes after this tile begins, a part of the next B or A, or null: a kernel may bring it into
  // the second-level cache while it computes, `next_step` elements for each step of the depth.
  const float* next;
  size_t next_step;
};

using GemmF32Fn = void (*)(const GemmF32Tile& tile);

// How many rows a micro-kernel takes: those of a tile, or any number.
enum class GemmF32Rows { kTile, kAny };

struct GemmF32Kernel {
  const char* name;      // "avx2_6x16"
  CpuFeatures features;  // all required
  KernelId id;
  size_t mr, nr;
  size_t lanes;  // floats of one vector register, half where multiply-add is two instructions: a speed
  GemmF32Rows rows;
  GemmF32Fn run;
};

constexpr int kGemmF32RowPanels = 4;
// Panels that one row may be as wide as. Sums without vectors have enough to do with one.
inline size_t GemmF32RowPanels(const GemmF32Kernel& kernel) {
  return kernel.lanes == 1 ? 1 : kGemmF32RowPanels;
}

// Columns in steps of which a micro-kernel leaves out those that do not exist.
inline size_t GemmF32Step(const GemmF32Kernel& kernel) { return kernel.lanes < 8 ? 8 : kernel.lanes; }

// Weakest first.
Span<const GemmF32Kernel> GemmF32Kernels();
// Index into GemmF32Kernels() of the fastest that `features` allow for products of so many columns: a wide
// tile is no gain where columns fill half of it.
size_t SelectGemmF32(CpuFeatures features, size_t columns);

#define MICRORT_GEMM_F32(name, set, mr, nr, lanes, rows) void GemmF32_##name(const GemmF32Tile& tile);
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_GEMM_F32

}  // namespace micrort
