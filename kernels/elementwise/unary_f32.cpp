#include "kernels/elementwise/unary_f32.h"

#include <cmath>

#include "kernels/base/rows.h"

namespace micrort {
namespace {

#define MICRORT_UNARY_F32(name, features) {#name, features, UnaryF32_##name},
constexpr UnaryF32Kernel kKernels[] = {
#include "kernels/elementwise/unary_f32.inc"
};
#undef MICRORT_UNARY_F32

using DoubleFunction = double (*)(double);

// Null for kinds that the C library does not compute.
DoubleFunction LibraryFunction(UnaryKind kind) {
  switch (kind) {
    case UnaryKind::kSin:
      return std::sin;
    case UnaryKind::kCos:
      return std::cos;
    case UnaryKind::kTan:
      return std::tan;
    case UnaryKind::kAsin:
      return std::asin;
    case UnaryKind::kAcos:
      return std::acos;
    case UnaryKind::kAtan:
      return std::atan;
    case UnaryKind::kSinh:
      return std::sinh;
    case UnaryKind::kCosh:
      return std::cosh;
    case UnaryKind::kAsinh:
      return std::asinh;
    case UnaryKind::kAcosh:
      return std::acosh;
    case UnaryKind::kAtanh:
      return std::atanh;
    default:
      return nullptr;
  }
}

void UnaryF32Library(const UnaryOp& op, const float* x, float* y, size_t n) {
  const DoubleFunction f = LibraryFunction(op.kind);
  for (size_t i = 0; i < n; ++i) y[i] = static_cast<float>(f(static_cast<double>(x[i])));
}

}  // namespace

Span<const UnaryF32Kernel> UnaryF32Kernels() { return kKernels; }

bool HasVectorUnaryF32(UnaryKind kind) {
  switch (kind) {
    case UnaryKind::kNot:
    case UnaryKind::kIsNaN:
    case UnaryKind::kIsInf:
    case UnaryKind::kBitwiseNot:
      return false;
    default:
      return LibraryFunction(kind) == nullptr;
  }
}

UnaryF32Fn SelectUnaryF32(UnaryKind kind, CpuFeatures features) {
  if (LibraryFunction(kind) != nullptr) return UnaryF32Library;
  if (!HasVectorUnaryF32(kind)) return nullptr;
  return kKernels[SelectRow(UnaryF32Kernels(), features)].run;
}

}  // namespace micrort
