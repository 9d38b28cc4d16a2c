#pragma once
// The transforms of Winograd convolution F(2, 3) (kernels/winograd/winograd_transform.h) over halves.

#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"
#include "kernels/winograd/winograd_transform.h"

namespace micrort {

using WinogradF16Input = WinogradInputTile<uint16_t>;
using WinogradF16Output = WinogradOutputTile<uint16_t>;

struct WinogradF16Kernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  void (*input)(const WinogradF16Input& tile);
  void (*output)(const WinogradF16Output& tile);
};

// Only in builds that know instruction sets with half arithmetic; the algorithm that needs them is not in
// others.
Span<const WinogradF16Kernel> WinogradF16Kernels();

#define MICRORT_WINOGRAD_F16(name, set)                       \
  void WinogradF16Input_##name(const WinogradF16Input& tile); \
  void WinogradF16Output_##name(const WinogradF16Output& tile);
#include "kernels/winograd/winograd_f16.inc"
#undef MICRORT_WINOGRAD_F16

}  // namespace micrort
