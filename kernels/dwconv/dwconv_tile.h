#pragma once
// Contract of the depthwise convolution micro-kernels for floats and halves: a few output pixels side by
// side, some channels.
//
// Inputs are given by lists of pointers to columns, so that pixels that overlap share pointers and kernels
// can share what they have loaded.

#include <cstddef>
#include <cstdint>

namespace micrort {

// T: float, or uint16_t for halves, which are multiplied, summed up and clamped in half; the bias, of floats,
// becomes halves first.
// y[i][c] = clamp(start[i][c] + sum over t of columns[t][i * step][c] * w[t][c] + bias[c])
template <typename T>
struct DwConvTile {
  size_t m;  // output pixels: 1..mr, or for kernels that slide any number of even ones
  size_t kernel_h, kernel_w;
  size_t channels;
  // [kernel_h * kernel_w]; what pixels m..mr-1 reach is readable, but unused.
  const T* const* const* columns;
  ptrdiff_t step;
  // Taps of one row of the filter are neighbours, columns[t + 1] == columns[t] + 1, and the columns that mr
  // pixels reach (m, for kernels that slide) are evenly spaced in memory, but for the first and last
  // kernel_w / 2 of them.
  bool even;
  const T* w;         // packed [ceil(channels / lanes)][taps][lanes], zero beyond the last channel
  const float* bias;  // [channels] or null
  // [m][channels] with y_stride, or null: zero. May be y itself; a residual is added here.
  const T* start;
  T* y;             // [m][channels]
  size_t y_stride;  // elements
  float lo, hi;     // -inf and +inf for no clamp; a NaN stays NaN
};

}  // namespace micrort
