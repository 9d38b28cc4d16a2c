#include "kernels/layer_s16/dot_s16.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr DotS16Kernel kAllDotS16Kernels[] = {
#define MICRORT_DOT_S16(name, set)                                                                  \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::dot_s16_##name, MICRORT_RUN(set, DotS16_##name), \
                        MICRORT_RUN(set, DotPairS16_##name), MICRORT_RUN(set, TapsS16_##name)})
#include "kernels/layer_s16/dot_s16.inc"
#undef MICRORT_DOT_S16
};
constexpr auto kDotS16Kernels = MICRORT_NEEDED(DotS16Kernel, kAllDotS16Kernels);

}  // namespace

Span<const DotS16Kernel> DotS16Kernels() { return kDotS16Kernels; }

}  // namespace micrort
