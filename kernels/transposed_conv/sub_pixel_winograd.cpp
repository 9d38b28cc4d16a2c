#include "kernels/base/kernel_registry.h"
#include "kernels/implicit_gemm/implicit_gemm_f32.h"
#include "kernels/transposed_conv/sub_pixel.h"
#include "kernels/transposed_conv/sub_pixel_runner.h"
#include "kernels/winograd/winograd.h"

namespace micrort {
namespace {

#define MICRORT_GEMM_F32(name, set, ...) \
  MICRORT_VARIANT(set, {KernelId::gemm_f32_##name, MICRORT_PREFIX #name})
constexpr sub_pixel::NamedKernel kWinograd2Names[] = {
#define MICRORT_PREFIX "phased_winograd_2x2_f32/"
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_PREFIX
};
constexpr sub_pixel::NamedKernel kWinograd4Names[] = {
#define MICRORT_PREFIX "phased_winograd_4x4_f32/"
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_PREFIX
};
#undef MICRORT_GEMM_F32

}  // namespace

const Conv2DAlgorithm kSubPixelWinograd2 =
    sub_pixel::Row<&kWinograd2, &kImplicitGemmF32, kWinograd2Names>::kAlgorithm;
const Conv2DAlgorithm kSubPixelWinograd4 =
    sub_pixel::Row<&kWinograd4, &kImplicitGemmF32, kWinograd4Names>::kAlgorithm;

}  // namespace micrort
