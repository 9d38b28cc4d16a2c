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
  kGroupedF32,
  kXnnpackF32,
  kXnnpackS8
};

struct NamedAlgorithm {
  char name[28];
  uint8_t id;
  Family family;
};

constexpr NamedAlgorithm kAlgorithms[] = {
#define MICRORT_CONV2D(algorithm, number, builds, name, family, ...) {name, number, Family::family},
#include "kernels/conv2d/algorithms.inc"
#undef MICRORT_CONV2D
    {"recurrent_f32", kRecurrentAlgorithmId, Family::kGemmF32},
#if defined(MICRORT_XNNPACK)
    {"xnnpack_f32", 0, Family::kXnnpackF32},
    {"xnnpack_s8", 0, Family::kXnnpackS8},
#endif
};

// The kernels of every build: what a file states may be another CPU's.
struct NamedKernel {
  char name[20];
  KernelId id;
  Family family;
};
constexpr NamedKernel kAlgorithmVariantsKernels[] = {
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
#define MICRORT_GROUPED_F32(name, ...) {#name, KernelId::grouped_f32_##name, Family::kGroupedF32},
#include "kernels/grouped_conv/grouped_f32.inc"
#undef MICRORT_GROUPED_F32
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
    for (const NamedKernel& kernel : kAlgorithmVariantsKernels) {
      if (kernel.family == algorithm.family && std::strcmp(kernel.name, slash + 1) == 0) {
        return VariantOf(algorithm.id, kernel.id);
      }
    }
  }
  return 0;
}

}  // namespace micrort
