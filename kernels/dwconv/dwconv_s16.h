#pragma once
// Contract of the depthwise convolution micro-kernels of int16 by int8: exact int32 sums of a few output
// pixels.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"
#include "kernels/dwconv/dwconv_s8_tile.h"

namespace micrort {

// A tile has kMaxGemmS16Depth taps at most, and no outputs.
using DwConvS16Tile = DwConvIntegerTile<int16_t>;
using DwConvS16Fn = void (*)(const DwConvS16Tile& tile);

struct DwConvS16Kernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  size_t mr;  // output pixels at a time
  DwConvS16Fn run;
};

// Rows of the filter whose weights are side by side.
constexpr size_t kDwConvS16Kr = 2;

// Weakest first. All give the same sums.
Span<const DwConvS16Kernel> DwConvS16Kernels();

#define MICRORT_DWCONV_S16(name, ...) void DwConvS16_##name(const DwConvS16Tile& tile);
#include "kernels/dwconv/dwconv_s16.inc"
#undef MICRORT_DWCONV_S16

}  // namespace micrort
