#include "kernels/dwconv/dwconv_s16.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr DwConvS16Kernel kAllDwconvS16Kernels[] = {
#define MICRORT_DWCONV_S16(name, set, mr) \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::dwconv_s16_##name, mr, MICRORT_RUN(set, DwConvS16_##name)})
#include "kernels/dwconv/dwconv_s16.inc"
#undef MICRORT_DWCONV_S16
};
constexpr auto kDwconvS16Kernels = MICRORT_NEEDED(DwConvS16Kernel, kAllDwconvS16Kernels);

#define MICRORT_DWCONV_S16(name, set, mr) static_assert(mr <= kMaxDwConvS8Rows, #name);
#include "kernels/dwconv/dwconv_s16.inc"
#undef MICRORT_DWCONV_S16

}  // namespace

Span<const DwConvS16Kernel> DwConvS16Kernels() { return kDwconvS16Kernels; }

}  // namespace micrort
