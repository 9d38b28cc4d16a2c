#include "kernels/elementwise/unary_f32.h"

#include "kernels/base/kernel_registry.h"
#include "kernels/base/part.h"
#include "kernels/elementwise/unary_library.h"

namespace micrort {

MICRORT_PART(UnaryF32Library);

namespace {

#define MICRORT_UNARY_F32(name, set) \
  MICRORT_VARIANT(                   \
      set, {"unary_f32_" #name, isa::set, KernelId::unary_f32_##name, MICRORT_RUN(set, UnaryF32_##name)})
constexpr UnaryF32Kernel kAllUnaryF32Kernels[] = {
#include "kernels/elementwise/unary_f32.inc"
};
#undef MICRORT_UNARY_F32
constexpr auto kUnaryF32Kernels = MICRORT_NEEDED(UnaryF32Kernel, kAllUnaryF32Kernels);

}  // namespace

Span<const UnaryF32Kernel> UnaryF32Kernels() { return kUnaryF32Kernels; }

bool HasVectorUnaryF32(UnaryKind kind) {
  switch (kind) {
    case UnaryKind::kNot:
    case UnaryKind::kIsNaN:
    case UnaryKind::kIsInf:
    case UnaryKind::kBitwiseNot:
      return false;
    default:
      return !IsTrigonometric(kind);
  }
}

UnaryF32Kernel SelectUnaryF32(UnaryKind kind, CpuFeatures features) {
  return UnaryF32Of(kind, kUnaryF32Kernels[SelectVariant(UnaryF32Kernels(), features)].id);
}

UnaryF32Kernel UnaryF32Of(UnaryKind kind, KernelId row) {
  if (IsTrigonometric(kind) && MICRORT_HAS_PART(UnaryF32Library)) {
    return {"unary_f32_library", kCpuScalar, KernelId::none, UnaryF32Library};
  }
  if (!HasVectorUnaryF32(kind)) return {"", kCpuScalar, KernelId::none, nullptr};
  return VariantOf(UnaryF32Kernels(), row);
}

}  // namespace micrort
