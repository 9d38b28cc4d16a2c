#include "kernels/base/kernel_registry.h"
#include "kernels/implicit_gemm/implicit_gemm_f32.h"
#include "kernels/transposed_conv/sub_pixel.h"
#include "kernels/transposed_conv/sub_pixel_runner.h"

namespace micrort {
namespace {

#define MICRORT_GEMM_F32(name, set, ...) \
  MICRORT_VARIANT(set, {KernelId::gemm_f32_##name, MICRORT_PREFIX #name})
constexpr sub_pixel::NamedKernel kSubPixelF32Names[] = {
#define MICRORT_PREFIX "phased_implicit_gemm_f32/"
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_PREFIX
};
#undef MICRORT_GEMM_F32

}  // namespace

const Conv2DAlgorithm kSubPixelGemmF32 =
    sub_pixel::Row<&kImplicitGemmF32, &kImplicitGemmF32, kSubPixelF32Names>::kAlgorithm;

}  // namespace micrort
