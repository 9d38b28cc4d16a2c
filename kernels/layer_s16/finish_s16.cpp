#include "kernels/layer_s16/finish_s16.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr FinishS16Kernel kAllFinishS16Kernels[] = {
#define MICRORT_FINISH_S16(name, set) \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::finish_s16_##name, MICRORT_RUN(set, FinishS16_##name)})
#include "kernels/layer_s16/finish_s16.inc"
#undef MICRORT_FINISH_S16
};
constexpr auto kFinishS16Kernels = MICRORT_NEEDED(FinishS16Kernel, kAllFinishS16Kernels);

}  // namespace

Span<const FinishS16Kernel> FinishS16Kernels() { return kFinishS16Kernels; }

}  // namespace micrort
