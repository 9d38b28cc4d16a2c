#include "kernels/conv2d/algorithm_variants.h"

#include <cstring>

namespace micrort {
namespace {

// What the micro-kernels of an algorithm are registered as.
enum class Family : uint8_t {
  kGemmF32,
  kGemmS8,
  kDwConvF32,
  kDwConvS8,
  kWinogradS8,
  kGemmF16,
  kDwConvF16,
  kDotS16,
  kGemmS16,
  kDwConvS16,
  kGemmS4,
  kXnnpackF32,
  kXnnpackS8
};

struct NamedAlgorithm {
  char name[28];
  uint8_t id;
  Family family;
};

#define MICRORT_NAMED(name, algorithm, family) \
  { name, static_cast<uint8_t>(Conv2DAlgorithmId::algorithm), Family::family }
constexpr NamedAlgorithm kAlgorithms[] = {
    MICRORT_NAMED("implicit_gemm_f32", kImplicitGemmF32, kGemmF32),
    MICRORT_NAMED("unpacking_gemm_f32", kDequantizingGemmF32, kGemmF32),
    MICRORT_NAMED("implicit_gemm_s8", kImplicitGemmS8, kGemmS8),
    MICRORT_NAMED("depthwise_f32", kDepthwiseF32, kDwConvF32),
    MICRORT_NAMED("depthwise_s8", kDepthwiseS8, kDwConvS8),
    MICRORT_NAMED("winograd_2x2_f32", kWinograd2, kGemmF32),
    MICRORT_NAMED("winograd_4x4_f32", kWinograd4, kGemmF32),
    MICRORT_NAMED("winograd_6x6_f32", kWinograd6, kGemmF32),
    MICRORT_NAMED("winograd_2x2_s8", kWinogradS8, kWinogradS8),
    MICRORT_NAMED("strassen_f32", kStrassen, kGemmF32),
    MICRORT_NAMED("phased_implicit_gemm_f32", kSubPixelGemmF32, kGemmF32),
    MICRORT_NAMED("phased_implicit_gemm_s8", kSubPixelGemmS8, kGemmS8),
    MICRORT_NAMED("phased_winograd_2x2_f32", kSubPixelWinograd2, kGemmF32),
    MICRORT_NAMED("phased_winograd_4x4_f32", kSubPixelWinograd4, kGemmF32),
    MICRORT_NAMED("winograd_1x2_f32", kWinograd1x2, kGemmF32),
    MICRORT_NAMED("implicit_gemm_f16", kImplicitGemmF16, kGemmF16),
    MICRORT_NAMED("halves_gemm_f32", kHalvesGemmF32, kGemmF32),
    MICRORT_NAMED("halves_depthwise_f32", kHalvesDepthwiseF32, kDwConvF32),
    MICRORT_NAMED("halves_winograd_2x2_f32", kHalvesWinograd2, kGemmF32),
    MICRORT_NAMED("halves_winograd_4x4_f32", kHalvesWinograd4, kGemmF32),
    MICRORT_NAMED("depthwise_f16", kDepthwiseF16, kDwConvF16),
    MICRORT_NAMED("winograd_2x2_f16", kWinograd2F16, kGemmF16),
    MICRORT_NAMED("direct_s16", kDirectS16, kDotS16),
    MICRORT_NAMED("implicit_gemm_s16", kImplicitGemmS16, kGemmS16),
    MICRORT_NAMED("depthwise_s16", kDepthwiseS16, kDwConvS16),
    MICRORT_NAMED("int4_gemm", kInt4Gemm, kGemmS4),
    {"recurrent_f32", kRecurrentAlgorithmId, Family::kGemmF32},
#if defined(MICRORT_XNNPACK)
    MICRORT_NAMED("xnnpack_f32", kUndecided, kXnnpackF32),
    MICRORT_NAMED("xnnpack_s8", kUndecided, kXnnpackS8),
#endif
};
#undef MICRORT_NAMED

// Of every build: what a file states may be another CPU's.
struct NamedKernel {
  char name[20];
  KernelId id;
  Family family;
};
constexpr NamedKernel kKernels[] = {
#define MICRORT_GEMM_F32(name, ...) {#name, KernelId::gemm_f32_##name, Family::kGemmF32},
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_GEMM_F32
#define MICRORT_GEMM_S8(name, ...) {#name, KernelId::gemm_s8_##name, Family::kGemmS8},
#include "kernels/gemm/gemm_s8.inc"
#undef MICRORT_GEMM_S8
#define MICRORT_DWCONV_F32(name, ...) {#name, KernelId::dwconv_f32_##name, Family::kDwConvF32},
#include "kernels/dwconv/dwconv_f32.inc"
#undef MICRORT_DWCONV_F32
#define MICRORT_DWCONV_S8(name, ...) {#name, KernelId::dwconv_s8_##name, Family::kDwConvS8},
#include "kernels/dwconv/dwconv_s8.inc"
#undef MICRORT_DWCONV_S8
#define MICRORT_WINOGRAD_S8(name, ...) {#name, KernelId::winograd_s8_##name, Family::kWinogradS8},
#include "kernels/winograd/winograd_s8.inc"
#undef MICRORT_WINOGRAD_S8
#define MICRORT_GEMM_F16(name, ...) {#name, KernelId::gemm_f16_##name, Family::kGemmF16},
#include "kernels/gemm/gemm_f16.inc"
#undef MICRORT_GEMM_F16
#define MICRORT_DWCONV_F16(name, ...) {#name, KernelId::dwconv_f16_##name, Family::kDwConvF16},
#include "kernels/dwconv/dwconv_f16.inc"
#undef MICRORT_DWCONV_F16
#define MICRORT_DOT_S16(name, ...) {#name, KernelId::dot_s16_##name, Family::kDotS16},
#include "kernels/layer_s16/dot_s16.inc"
#undef MICRORT_DOT_S16
#define MICRORT_GEMM_S16(name, ...) {#name, KernelId::gemm_s16_##name, Family::kGemmS16},
#include "kernels/gemm/gemm_s16.inc"
#undef MICRORT_GEMM_S16
#define MICRORT_DWCONV_S16(name, ...) {#name, KernelId::dwconv_s16_##name, Family::kDwConvS16},
#include "kernels/dwconv/dwconv_s16.inc"
#undef MICRORT_DWCONV_S16
#define MICRORT_GEMM_S4(name, ...) {#name, KernelId::gemm_s4_##name, Family::kGemmS4},
#include "kernels/gemm/gemm_s4.inc"
#undef MICRORT_GEMM_S4
#if defined(MICRORT_XNNPACK)
    {"operator", KernelId::xnnpack_f32_operator, Family::kXnnpackF32},
    {"operator", KernelId::xnnpack_s8_operator, Family::kXnnpackS8},
#endif
};

}  // namespace

AlgorithmVariant FindVariant(const char* name) {
  const char* const slash = std::strchr(name, '/');
  if (slash == nullptr) return 0;
  const auto length = static_cast<size_t>(slash - name);
  for (const NamedAlgorithm& algorithm : kAlgorithms) {
    if (std::strlen(algorithm.name) != length || std::memcmp(algorithm.name, name, length) != 0) continue;
    for (const NamedKernel& kernel : kKernels) {
      if (kernel.family == algorithm.family && std::strcmp(kernel.name, slash + 1) == 0) {
        return VariantOf(algorithm.id, kernel.id);
      }
    }
  }
  return 0;
}

}  // namespace micrort
