#include "kernels/gemm/requantize.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr RequantizeKernel kKernels[] = {
#define MICRORT_REQUANTIZE(name, set)                                                                        \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::requantize_##name, MICRORT_RUN(set, RequantizeS8_##name), \
                        MICRORT_RUN(set, RequantizeF32_##name)})
#include "kernels/gemm/requantize.inc"
#undef MICRORT_REQUANTIZE
};

}  // namespace

Span<const RequantizeKernel> RequantizeKernels() { return kKernels; }

const RequantizeKernel& SelectRequantize(CpuFeatures features) {
  return kKernels[SelectVariant(RequantizeKernels(), features)];
}

}  // namespace micrort
