#pragma once
// Contract of the int8 depthwise convolution micro-kernels: exact int32 sums of a few output pixels.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"
#include "kernels/gemm/gemm_s8.h"

namespace micrort {

// acc[i][c] = sum over t of columns[t][i * step][x_offset + c] * w[t][c]
struct DwConvS8Tile {
  size_t m;  // output pixels: 1..mr
  size_t kernel_h, kernel_w;
  size_t channels;
  const int8_t* const* const*
      columns;  // [kernel_h * kernel_w]; what pixels m..mr-1 reach is readable, but unused
  ptrdiff_t step;
  bool adjacent;    // taps of one row of the filter are neighbours: columns[t + 1] == columns[t] + 1
  size_t x_offset;  // elements added to every pointer
  const int8_t* w;  // as PackDwConvS8 writes them
  int32_t* acc;     // [mr][acc_stride]; acc_stride >= channels rounded up to a multiple of 8
  size_t acc_stride;
  // As in GemmS8Block.
  const GemmS8Output* output = nullptr;
  bool* written = nullptr;
};

using DwConvS8Fn = void (*)(const DwConvS8Tile& tile);

struct DwConvS8Kernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  size_t mr;
  GemmS8Result result;
  DwConvS8Fn run;
};

constexpr size_t kDwConvS8Lanes = 8;    // channels of one block of packed weights
constexpr size_t kMaxDwConvS8Rows = 8;  // limit of mr

// Weights [ceil(channels / 8)][ceil(kernel_h / 2)][kernel_w][8][2]: those of two rows of the filter side by
// side, because x86 multiplies and adds pairs. Zero beyond the last channel and row.
inline size_t DwConvS8ChannelBytes(size_t kernel_h, size_t kernel_w) {
  return (kernel_h + 1) / 2 * 2 * kernel_w;
}

// Weakest first. All give the same sums.
Span<const DwConvS8Kernel> DwConvS8Kernels();

#define MICRORT_DWCONV_S8(name, ...) void DwConvS8_##name(const DwConvS8Tile& tile);
#include "kernels/dwconv/dwconv_s8.inc"
#undef MICRORT_DWCONV_S8

}  // namespace micrort
