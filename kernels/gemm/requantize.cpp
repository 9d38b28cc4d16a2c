#include "kernels/gemm/requantize.h"

#include "kernels/base/rows.h"

namespace micrort {
namespace {

constexpr RequantizeKernel kKernels[] = {
#define MICRORT_REQUANTIZE(name, features) {#name, features, &RequantizeS8_##name, &RequantizeF32_##name},
#include "kernels/gemm/requantize.inc"
#undef MICRORT_REQUANTIZE
};

}  // namespace

Span<const RequantizeKernel> RequantizeKernels() { return kKernels; }

const RequantizeKernel& SelectRequantize(CpuFeatures features) {
  return kKernels[SelectRow(RequantizeKernels(), features)];
}

}  // namespace micrort
