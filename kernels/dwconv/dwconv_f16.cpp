#include "kernels/dwconv/dwconv_f16.h"

#include "kernels/base/kernel_registry.h"

#if MICRORT_KERNELS_fp16

namespace micrort {
namespace {

constexpr DwConvF16Kernel kDwconvF16Kernels[] = {
#define MICRORT_DWCONV_F16(name, set, mr, lanes) \
  MICRORT_VARIANT(                               \
      set, {#name, isa::set, KernelId::dwconv_f16_##name, mr, lanes, MICRORT_RUN(set, DwConvF16_##name)})
#include "kernels/dwconv/dwconv_f16.inc"
#undef MICRORT_DWCONV_F16
};

}  // namespace

Span<const DwConvF16Kernel> DwConvF16Kernels() { return kDwconvF16Kernels; }

}  // namespace micrort

#endif
