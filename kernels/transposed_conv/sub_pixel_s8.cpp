#include "kernels/base/kernel_registry.h"
#include "kernels/implicit_gemm/implicit_gemm_s8.h"
#include "kernels/transposed_conv/sub_pixel.h"
#include "kernels/transposed_conv/sub_pixel_runner.h"

namespace micrort {
namespace {

constexpr sub_pixel::NamedKernel kSubPixelS8Names[] = {
#define MICRORT_GEMM_S8(name, set, ...) \
  MICRORT_VARIANT(set, {KernelId::gemm_s8_##name, "phased_implicit_gemm_s8/" #name})
#include "kernels/gemm/gemm_s8.inc"
#undef MICRORT_GEMM_S8
};

}  // namespace

const Conv2DAlgorithm kSubPixelGemmS8 =
    sub_pixel::Row<&kImplicitGemmS8, &kImplicitGemmS8, kSubPixelS8Names>::kAlgorithm;

}  // namespace micrort
