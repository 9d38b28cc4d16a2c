#pragma once
// The float depthwise convolution micro-kernels.

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"
#include "kernels/dwconv/dwconv_tile.h"

namespace micrort {

using DwConvF32Tile = DwConvTile<float>;
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
