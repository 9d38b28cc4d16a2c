#include "kernels/elementwise/binary_f32.h"

#include <cmath>

#include "kernels/base/kernel_registry.h"
#include "kernels/elementwise/modulo.h"

namespace micrort {
namespace {

#define MICRORT_BINARY_F32(name, set) \
  MICRORT_VARIANT(                    \
      set, {"binary_f32_" #name, isa::set, KernelId::binary_f32_##name, MICRORT_RUN(set, BinaryF32_##name)})
constexpr BinaryF32Kernel kAllBinaryF32Kernels[] = {
#include "kernels/elementwise/binary_f32.inc"
};
#undef MICRORT_BINARY_F32
constexpr auto kBinaryF32Kernels = MICRORT_NEEDED(BinaryF32Kernel, kAllBinaryF32Kernels);

float Power(float a, float b) {
  if (b == 2.0f) return a * a;
  return static_cast<float>(std::pow(static_cast<double>(a), static_cast<double>(b)));
}

void BinaryF32Library(BinaryKind kind, const float* a, size_t a_stride, const float* b, size_t b_stride,
                      void* y, size_t n) {
  auto* out = static_cast<float*>(y);
  for (size_t i = 0; i < n; ++i, a += a_stride, b += b_stride) {
    out[i] = kind == BinaryKind::kPow    ? Power(*a, *b)
             : kind == BinaryKind::kFmod ? std::fmod(*a, *b)
                                         : FlooredModulo(*a, *b);
  }
}

}  // namespace

Span<const BinaryF32Kernel> BinaryF32Kernels() { return kBinaryF32Kernels; }

bool HasVectorBinaryF32(BinaryKind kind) {
  return kind <= BinaryKind::kGreaterOrEqual && kind != BinaryKind::kPow && kind != BinaryKind::kMod &&
         kind != BinaryKind::kFmod;
}

BinaryF32Kernel SelectBinaryF32(BinaryKind kind, CpuFeatures features) {
  if (kind > BinaryKind::kGreaterOrEqual) return {"", kCpuScalar, KernelId::none, nullptr};
  if (!HasVectorBinaryF32(kind)) return {"binary_f32_library", kCpuScalar, KernelId::none, BinaryF32Library};
  return kBinaryF32Kernels[SelectVariant(BinaryF32Kernels(), features)];
}

}  // namespace micrort
