#include "kernels/winograd/winograd_f32.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr WinogradF32Kernel kAllWinogradF32Kernels[] = {
#define MICRORT_WINOGRAD_F32(name, set)                                 \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::winograd_f32_##name, \
                        MICRORT_RUN(set, WinogradInput_##name), MICRORT_RUN(set, WinogradOutput_##name)})
#include "kernels/winograd/winograd_f32.inc"
#undef MICRORT_WINOGRAD_F32
};
constexpr auto kWinogradF32Kernels = MICRORT_NEEDED(WinogradF32Kernel, kAllWinogradF32Kernels);

}  // namespace

Span<const WinogradF32Kernel> WinogradF32Kernels() { return kWinogradF32Kernels; }

}  // namespace micrort
