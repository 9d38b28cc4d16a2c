#include "kernels/base/kernel_registry.h"
#include "kernels/gemm/requantize.h"

namespace micrort {
namespace {

constexpr DequantizeTileKernel kAllKernels[] = {
#define MICRORT_REQUANTIZE(name, set) \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::requantize_##name, MICRORT_RUN(set, RequantizeF32_##name)})
#include "kernels/gemm/requantize.inc"
#undef MICRORT_REQUANTIZE
};
constexpr auto kKernels = MICRORT_NEEDED(DequantizeTileKernel, kAllKernels);

}  // namespace

Span<const DequantizeTileKernel> DequantizeTileKernels() { return kKernels; }

}  // namespace micrort
