#include "kernels/dwconv/dwconv_s8.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr DwConvS8Kernel kAllDwconvS8Kernels[] = {
#define MICRORT_DWCONV_S8(name, set, mr, kr, result)                                               \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::dwconv_s8_##name, mr, kr, GemmS8Result::result, \
                        MICRORT_RUN(set, DwConvS8_##name)})
#include "kernels/dwconv/dwconv_s8.inc"
#undef MICRORT_DWCONV_S8
};
constexpr auto kDwconvS8Kernels = MICRORT_NEEDED(DwConvS8Kernel, kAllDwconvS8Kernels);

#define MICRORT_DWCONV_S8(name, set, mr, ...) static_assert(mr <= kMaxDwConvS8Rows, #name);
#include "kernels/dwconv/dwconv_s8.inc"
#undef MICRORT_DWCONV_S8

}  // namespace

Span<const DwConvS8Kernel> DwConvS8Kernels() { return kDwconvS8Kernels; }

}  // namespace micrort
