#include "kernels/base/kernel_registry.h"
#include "kernels/gemm/requantize.h"

namespace micrort {
namespace {

constexpr DequantizeTileKernel kAllDequantizeTileKernels[] = {
#define MICRORT_REQUANTIZE(name, set) \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::requantize_##name, MICRORT_RUN(set, RequantizeF32_##name)})
#include "kernels/gemm/requantize.inc"
#undef MICRORT_REQUANTIZE
};
constexpr auto kDequantizeTileKernels = MICRORT_NEEDED(DequantizeTileKernel, kAllDequantizeTileKernels);

}  // namespace

Span<const DequantizeTileKernel> DequantizeTileKernels() { return kDequantizeTileKernels; }

}  // namespace micrort
