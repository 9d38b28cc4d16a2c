#pragma once
// The depthwise convolution micro-kernels of halves.

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"
#include "kernels/dwconv/dwconv_tile.h"

namespace micrort {

using DwConvF16Tile = DwConvTile<uint16_t>;
using DwConvF16Fn = void (*)(const DwConvF16Tile& tile);

struct DwConvF16Kernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  size_t mr;
  size_t lanes;  // of one block of packed weights
  DwConvF16Fn run;
};

// Only in builds that know instruction sets with half arithmetic; the algorithm that needs them is not in
// others.
Span<const DwConvF16Kernel> DwConvF16Kernels();

#define MICRORT_DWCONV_F16(name, set, mr, lanes) void DwConvF16_##name(const DwConvF16Tile& tile);
#include "kernels/dwconv/dwconv_f16.inc"
#undef MICRORT_DWCONV_F16

}  // namespace micrort
