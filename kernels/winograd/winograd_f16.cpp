#include "kernels/winograd/winograd_f16.h"

#include "kernels/base/kernel_registry.h"

#if MICRORT_KERNELS_fp16

namespace micrort {
namespace {

constexpr WinogradF16Kernel kWinogradF16Kernels[] = {
#define MICRORT_WINOGRAD_F16(name, set)                                                                \
  MICRORT_VARIANT(                                                                                     \
      set, {#name, isa::set, KernelId::winograd_f16_##name, MICRORT_RUN(set, WinogradF16Input_##name), \
            MICRORT_RUN(set, WinogradF16Output_##name)})
#include "kernels/winograd/winograd_f16.inc"
#undef MICRORT_WINOGRAD_F16
};

}  // namespace

Span<const WinogradF16Kernel> WinogradF16Kernels() { return kWinogradF16Kernels; }

}  // namespace micrort

#endif
