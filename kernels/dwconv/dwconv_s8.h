#pragma once
// Contract of the int8 depthwise convolution micro-kernels: exact int32 sums of a few output pixels.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/span.h"

namespace micrort {

// acc[i][c] = sum over t of columns[t][i * step][x_offset + c] * w[t][c]
struct DwConvS8Tile {
  size_t m;  // output pixels: 1..mr
  size_t taps, channels;
  const int8_t* const* const* columns;  // [taps]; what pixels m..mr-1 reach is readable, but unused
  ptrdiff_t step;
  size_t x_offset;  // elements added to every pointer
  const int8_t* w;  // packed [ceil(channels / 8)][taps][8], zero beyond the last channel
  int32_t* acc;     // [mr][acc_stride]; acc_stride >= channels rounded up to a multiple of 8
  size_t acc_stride;
};

using DwConvS8Fn = void (*)(const DwConvS8Tile& tile);

struct DwConvS8Kernel {
  const char* name;
  CpuFeatures features;  // all required
  size_t mr;
  DwConvS8Fn run;
};

constexpr size_t kMaxDwConvS8Rows = 4;  // limit of mr

// Weakest first. All give the same sums.
Span<const DwConvS8Kernel> DwConvS8Kernels();

#define MICRORT_DWCONV_S8(name, features, mr) void DwConvS8_##name(const DwConvS8Tile& tile);
#include "kernels/dwconv/dwconv_s8.inc"
#undef MICRORT_DWCONV_S8

}  // namespace micrort
