#include "kernels/gemm/dequantize_weights.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {

namespace {

constexpr DequantizeWeightsKernel kAllDequantizeWeightsKernels[] = {
#define MICRORT_DEQUANTIZE_WEIGHTS(name, set, lanes)                                 \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::dequantize_weights_##name, lanes, \
                        MICRORT_RUN(set, DequantizeWeightsS8_##name)})
#include "kernels/gemm/dequantize_weights.inc"
#undef MICRORT_DEQUANTIZE_WEIGHTS
};
constexpr auto kDequantizeWeightsKernels =
    MICRORT_NEEDED(DequantizeWeightsKernel, kAllDequantizeWeightsKernels);

}  // namespace

Span<const DequantizeWeightsKernel> DequantizeWeightsKernels() { return kDequantizeWeightsKernels; }

const DequantizeWeightsKernel& SelectDequantizeWeights(CpuFeatures features, size_t nr) {
  const DequantizeWeightsKernel* best = kDequantizeWeightsKernels.begin();
  for (const DequantizeWeightsKernel& kernel : kDequantizeWeightsKernels) {
    if ((kernel.features & features) == kernel.features && nr % kernel.lanes == 0) best = &kernel;
  }
  return *best;
}

}  // namespace micrort
