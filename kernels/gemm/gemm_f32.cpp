#include "kernels/gemm/gemm_f32.h"

#include "kernels/base/rows.h"

namespace micrort {
namespace {

constexpr GemmF32Kernel kKernels[] = {
#define MICRORT_GEMM_F32(name, features, mr, nr) {#name, features, mr, nr, &GemmF32_##name},
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_GEMM_F32
};

}  // namespace

Span<const GemmF32Kernel> GemmF32Kernels() { return kKernels; }

size_t SelectGemmF32(CpuFeatures features) { return SelectRow(GemmF32Kernels(), features); }

}  // namespace micrort
