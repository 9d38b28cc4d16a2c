#pragma once
// The tile that micro-kernels of depthwise convolution by int8 weights compute: some output pixels side by
// side.

#include <cstddef>
#include <cstdint>

#include "kernels/gemm/gemm_s8.h"

namespace micrort {

// acc[i][c] = sum over t of columns[t][i * step][x_offset + c] * w[t][c]
// T: int8_t or int16_t.
template <typename T>
struct DwConvIntegerTile {
  size_t m;  // output pixels: 1..mr; any number where outputs are written
  size_t kernel_h, kernel_w;
  size_t channels;
  const T* const* const* columns;  // [kernel_h * kernel_w]; what pixels m..mr-1 reach is readable, but unused
  ptrdiff_t step;
  bool adjacent;  // taps of one row of the filter are neighbours: columns[t + 1] == columns[t] + 1
  // Adjacent, and the columns that m pixels reach are evenly spaced in memory, in each row of the filter, but
  // for the first and last kernel_w / 2 of them.
  bool even;
  size_t x_offset;  // elements added to every pointer
  const int8_t* w;  // packed, see DwConvS8ChannelBytes
  int32_t* acc;     // [mr][acc_stride]; acc_stride >= channels rounded up to a multiple of 8
  size_t acc_stride;
  // As in GemmS8Block.
  const GemmS8Output* output = nullptr;
  bool* written = nullptr;
};

constexpr size_t kDwConvS8Lanes = 8;    // channels of one block of packed weights
constexpr size_t kMaxDwConvS8Rows = 8;  // limit of mr, and of m where sums are written

// Weights [ceil(channels / 8)][ceil(kernel_h / kr)][kernel_w][8][kr]: those of a few rows of the filter side
// by side, because x86 multiplies and adds pairs, and dot products take four. Zero beyond the last channel
// and row.
constexpr size_t DwConvS8ChannelBytes(size_t kr, size_t kernel_h, size_t kernel_w) {
  return (kernel_h + kr - 1) / kr * kr * kernel_w;
}

}  // namespace micrort
