#include "kernels/gemm/requantize.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr RequantizeKernel kAllKernels[] = {
#define MICRORT_REQUANTIZE(name, set) \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::requantize_##name, MICRORT_RUN(set, RequantizeS8_##name)})
#include "kernels/gemm/requantize.inc"
#undef MICRORT_REQUANTIZE
};
constexpr auto kKernels = MICRORT_NEEDED(RequantizeKernel, kAllKernels);

}  // namespace

Span<const RequantizeKernel> RequantizeKernels() { return kKernels; }

}  // namespace micrort
