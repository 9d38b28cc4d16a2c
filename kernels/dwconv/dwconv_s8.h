#pragma once
// Contract of the int8 depthwise convolution micro-kernels: exact int32 sums of a few output pixels.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"
#include "kernels/dwconv/dwconv_s8_tile.h"

namespace micrort {

using DwConvS8Tile = DwConvIntegerTile<int8_t>;
using DwConvS8Fn = void (*)(const DwConvS8Tile& tile);

struct DwConvS8Kernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  size_t mr, kr;  // output pixels at a time; rows of the filter whose weights are side by side
  GemmS8Result result;
  DwConvS8Fn run;
};

// Weakest first. All give the same sums.
Span<const DwConvS8Kernel> DwConvS8Kernels();

#define MICRORT_DWCONV_S8(name, ...) void DwConvS8_##name(const DwConvS8Tile& tile);
#include "kernels/dwconv/dwconv_s8.inc"
#undef MICRORT_DWCONV_S8

}  // namespace micrort
