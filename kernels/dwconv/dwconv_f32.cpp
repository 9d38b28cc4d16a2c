#include "kernels/dwconv/dwconv_f32.h"

namespace micrort {
namespace {

constexpr DwConvF32Kernel kKernels[] = {
#define MICRORT_DWCONV_F32(name, features, mr, lanes, slides) \
  {#name, features, mr, lanes, slides, &DwConvF32_##name},
#include "kernels/dwconv/dwconv_f32.inc"
#undef MICRORT_DWCONV_F32
};

}  // namespace

Span<const DwConvF32Kernel> DwConvF32Kernels() { return kKernels; }

}  // namespace micrort
