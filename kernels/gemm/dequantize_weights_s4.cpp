#include "kernels/base/kernel_registry.h"
#include "kernels/gemm/dequantize_weights.h"

namespace micrort {

namespace {

struct Int4Variant {
  CpuFeatures features;
  KernelId id;
  DequantizeWeightsS4Fn run;
};

constexpr Int4Variant kAllVariants[] = {
#define MICRORT_DEQUANTIZE_WEIGHTS(name, set, lanes) \
  MICRORT_VARIANT(                                   \
      set, {isa::set, KernelId::dequantize_weights_##name, MICRORT_RUN(set, DequantizeWeightsS4_##name)})
#include "kernels/gemm/dequantize_weights.inc"
#undef MICRORT_DEQUANTIZE_WEIGHTS
};
constexpr auto kDequantizeWeightsS4Kernels = MICRORT_NEEDED(Int4Variant, kAllVariants);

}  // namespace

DequantizeWeightsS4Fn DequantizeWeightsS4Of(KernelId id) {
  return VariantOf(Span<const Int4Variant>(kDequantizeWeightsS4Kernels), id).run;
}

}  // namespace micrort
