#pragma once
// Contract of the float depthwise convolution micro-kernels: a few output pixels side by side, some channels.
//
// Inputs are given by lists of pointers to columns, so that pixels that overlap share pointers and kernels
// can share what they have loaded.

#include <cstddef>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

// y[i][c] = clamp(start[i][c] + sum over t of columns[t][i * step][c] * w[t][c] + bias[c])
struct DwConvF32Tile {
  size_t m;  // output pixels: 1..mr, or for kernels that slide any number of even ones
  size_t kernel_h, kernel_w;
  size_t channels;
  const float* const* const*
      columns;  // [kernel_h * kernel_w]; what pixels m..mr-1 reach is readable, but unused
  ptrdiff_t step;
  // Taps of one row of the filter are neighbours, columns[t + 1] == columns[t] + 1, and the columns that mr
  // pixels reach (m, for kernels that slide) are evenly spaced in memory, but for the first and last
  // kernel_w / 2 of them.
  bool even;
  const float* w;     // packed [ceil(channels / lanes)][taps][lanes], zero beyond the last channel
  const float* bias;  // [channels] or null
  const float*
      start;        // [m][channels] with y_stride, or null: zero. May be y itself; a residual is added here
  float* y;         // [m][channels]
  size_t y_stride;  // elements
  float lo, hi;     // -inf and +inf for no clamp; a NaN stays NaN
};

using DwConvF32Fn = void (*)(const DwConvF32Tile& tile);

struct DwConvF32Kernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  size_t mr;
  size_t lanes;  // of one block of packed weights
  bool slides;  // takes as many even pixels as there are, for square filters of 3 and 5 taps a side and steps
                // of 1 and 2
  DwConvF32Fn run;
};

// Weakest first.
Span<const DwConvF32Kernel> DwConvF32Kernels();

#define MICRORT_DWCONV_F32(name, set, mr, lanes, slides) void DwConvF32_##name(const DwConvF32Tile& tile);
#include "kernels/dwconv/dwconv_f32.inc"
#undef MICRORT_DWCONV_F32

}  // namespace micrort
