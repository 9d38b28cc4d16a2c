#include "kernels/winograd/winograd_f32.h"

namespace micrort {
namespace {

constexpr WinogradF32Kernel kKernels[] = {
#define MICRORT_WINOGRAD_F32(name, features) {#name, features, &WinogradInput_##name, &WinogradOutput_##name},
#include "kernels/winograd/winograd_f32.inc"
#undef MICRORT_WINOGRAD_F32
};

}  // namespace

Span<const WinogradF32Kernel> WinogradF32Kernels() { return kKernels; }

}  // namespace micrort
