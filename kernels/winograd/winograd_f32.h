#pragma once
// The transforms of Winograd convolution (kernels/winograd/winograd_transform.h) over floats.

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"
#include "kernels/winograd/winograd_transform.h"

namespace micrort {

using WinogradInput = WinogradInputTile<float>;
using WinogradOutput = WinogradOutputTile<float>;

struct WinogradF32Kernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  void (*input)(const WinogradInput& tile);
  void (*output)(const WinogradOutput& tile);
};

// Weakest first.
Span<const WinogradF32Kernel> WinogradF32Kernels();

#define MICRORT_WINOGRAD_F32(name, set)                 \
  void WinogradInput_##name(const WinogradInput& tile); \
  void WinogradOutput_##name(const WinogradOutput& tile);
#include "kernels/winograd/winograd_f32.inc"
#undef MICRORT_WINOGRAD_F32

}  // namespace micrort
