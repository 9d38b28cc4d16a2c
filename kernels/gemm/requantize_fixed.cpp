#include "kernels/base/kernel_registry.h"
#include "kernels/gemm/requantize.h"

namespace micrort {
namespace {

constexpr RequantizeKernel kAllRequantizeFixedKernels[] = {
#define MICRORT_REQUANTIZE(name, set) \
  MICRORT_VARIANT(                    \
      set, {#name, isa::set, KernelId::requantize_##name, MICRORT_RUN(set, RequantizeFixedS8_##name)})
#include "kernels/gemm/requantize.inc"
#undef MICRORT_REQUANTIZE
};
constexpr auto kRequantizeFixedKernels = MICRORT_NEEDED(RequantizeKernel, kAllRequantizeFixedKernels);

}  // namespace

Span<const RequantizeKernel> RequantizeFixedKernels() { return kRequantizeFixedKernels; }

}  // namespace micrort
