#include "kernels/dwconv/dwconv_s8.h"

namespace micrort {
namespace {

constexpr DwConvS8Kernel kKernels[] = {
#define MICRORT_DWCONV_S8(name, features, mr) {#name, features, mr, &DwConvS8_##name},
#include "kernels/dwconv/dwconv_s8.inc"
#undef MICRORT_DWCONV_S8
};

#define MICRORT_DWCONV_S8(name, features, mr) static_assert(mr <= kMaxDwConvS8Rows, #name);
#include "kernels/dwconv/dwconv_s8.inc"
#undef MICRORT_DWCONV_S8

}  // namespace

Span<const DwConvS8Kernel> DwConvS8Kernels() { return kKernels; }

}  // namespace micrort
