#include "kernels/dwconv/dwconv_f32.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr DwConvF32Kernel kAllDwconvF32Kernels[] = {
#define MICRORT_DWCONV_F32(name, set, mr, lanes, slides)                                 \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::dwconv_f32_##name, mr, lanes, slides, \
                        MICRORT_RUN(set, DwConvF32_##name)})
#include "kernels/dwconv/dwconv_f32.inc"
#undef MICRORT_DWCONV_F32
};
constexpr auto kDwconvF32Kernels = MICRORT_NEEDED(DwConvF32Kernel, kAllDwconvF32Kernels);

}  // namespace

Span<const DwConvF32Kernel> DwConvF32Kernels() { return kDwconvF32Kernels; }

}  // namespace micrort
