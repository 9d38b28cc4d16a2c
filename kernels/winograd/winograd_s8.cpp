#include "kernels/winograd/winograd_s8.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr WinogradS8Kernel kAllWinogradS8Kernels[] = {
#define MICRORT_WINOGRAD_S8(name, set, mr, nr, kr)                                                          \
  MICRORT_VARIANT(                                                                                          \
      set,                                                                                                  \
      {#name, isa::set, KernelId::winograd_s8_##name, mr, nr, kr, MICRORT_RUN(set, WinogradS8Input_##name), \
       MICRORT_RUN(set, WinogradS8Multiply_##name), MICRORT_RUN(set, WinogradS8Output_##name)})
#include "kernels/winograd/winograd_s8.inc"
#undef MICRORT_WINOGRAD_S8
};
constexpr auto kWinogradS8Kernels = MICRORT_NEEDED(WinogradS8Kernel, kAllWinogradS8Kernels);

#define MICRORT_WINOGRAD_S8(name, set, mr, nr, kr) \
  static_assert(nr <= kMaxWinogradS8Columns && kWinogradS8Depth % kr == 0, #name);
#include "kernels/winograd/winograd_s8.inc"
#undef MICRORT_WINOGRAD_S8

}  // namespace

Span<const WinogradS8Kernel> WinogradS8Kernels() { return kWinogradS8Kernels; }

}  // namespace micrort
