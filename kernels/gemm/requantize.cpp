#include "kernels/gemm/requantize.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr RequantizeKernel kAllRequantizeKernels[] = {
#define MICRORT_REQUANTIZE(name, set) \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::requantize_##name, MICRORT_RUN(set, RequantizeS8_##name)})
#include "kernels/gemm/requantize.inc"
#undef MICRORT_REQUANTIZE
};
constexpr auto kRequantizeKernels = MICRORT_NEEDED(RequantizeKernel, kAllRequantizeKernels);

}  // namespace

Span<const RequantizeKernel> RequantizeKernels() { return kRequantizeKernels; }

}  // namespace micrort
