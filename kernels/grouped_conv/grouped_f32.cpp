#include "kernels/grouped_conv/grouped_f32.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr GroupedF32Kernel kAllGroupedF32Kernels[] = {
#define MICRORT_GROUPED_F32(name, set, mr, nr, lanes)                                 \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::grouped_f32_##name, mr, nr, lanes, \
                        MICRORT_RUN(set, GroupedF32_##name)})
#include "kernels/grouped_conv/grouped_f32.inc"
#undef MICRORT_GROUPED_F32
};
constexpr auto kGroupedF32Kernels = MICRORT_NEEDED(GroupedF32Kernel, kAllGroupedF32Kernels);

}  // namespace

Span<const GroupedF32Kernel> GroupedF32Kernels() { return kGroupedF32Kernels; }

}  // namespace micrort
