#include "kernels/elementwise/unary_s16.h"

#include <algorithm>
#include <cmath>

#include "kernels/base/kernel_registry.h"
#include "kernels/elementwise/fixed_range.h"

namespace micrort {
namespace {

constexpr UnaryS16Kernel kAllUnaryS16Kernels[] = {
#define MICRORT_UNARY_S16(name, set) \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::unary_s16_##name, MICRORT_RUN(set, UnaryS16_##name)})
#include "kernels/elementwise/unary_s16.inc"
#undef MICRORT_UNARY_S16
};
constexpr auto kUnaryS16Kernels = MICRORT_NEEDED(UnaryS16Kernel, kAllUnaryS16Kernels);
// In builds without the portable row, too.
constexpr UnaryS16Kernel kOfAllTypes = {"scalar", isa::scalar, KernelId::unary_s16_scalar, &UnaryS16_scalar};

bool IsS16(const ElementFormat& f) { return f.quantized && f.dtype == DType::kInt16; }
bool IsInteger(const ElementFormat& f) {
  return f.quantized && (f.dtype == DType::kInt8 || f.dtype == DType::kInt16 || f.dtype == DType::kInt32);
}
// All but bytes of bytes, which is a table.
bool HasTypes(const ElementFormat& x, const ElementFormat& y) {
  return IsInteger(x) && IsInteger(y) && (x.dtype != DType::kInt8 || y.dtype != DType::kInt8);
}
bool IsSymmetric(const ElementFormat& f) { return f.quantization.zero_point == 0; }

FixedMultiplier SignedMultiplier(double x) {
  FixedMultiplier by = NearestFixedMultiplier(std::fabs(x));
  if (x < 0) by.multiplier = -by.multiplier;
  return by;
}

void SetRange(DType dtype, UnaryS16Op* op) {
  op->lo = dtype == DType::kInt8 ? INT8_MIN : dtype == DType::kInt16 ? INT16_MIN : INT32_MIN;
  op->hi = dtype == DType::kInt8 ? INT8_MAX : dtype == DType::kInt16 ? INT16_MAX : INT32_MAX;
}

// As TensorFlow Lite tells powers of two.
bool IsNear(float scale, float power) { return std::fabs(scale / power - 1.0f) < 0.0007f; }

// Places in the table are 2^12 a number times 3, for tanh of twice the number.
bool PlanTable(const ElementFormat& x, const ElementFormat& y, UnaryS16Op* op) {
  constexpr double kPlaces = 3 * 4096, kLargest = 32767;
  constexpr int kMostShift = 31;
  constexpr float kUnit = 1.0f / 4096;
  const float scale = x.quantization.scale;
  double multiplier = static_cast<double>(scale) * kPlaces;
  if (!IsNear(y.quantization.scale, kTableS16Scale) || multiplier > kLargest) return false;
  int32_t shift = 0;
  for (; multiplier <= kLargest / 2 && shift < kMostShift; ++shift) multiplier *= 2;
  op->x_by = {static_cast<int32_t>(multiplier), shift};
  if (IsNear(scale, kUnit)) op->x_by = {3, 0};
  if (op->kind == UnaryKind::kTanh && IsNear(scale, 2 * kUnit)) op->x_by = {6, 0};
  return true;
}

bool PlanScaled(const UnaryOp& function, const ElementFormat& x, const ElementFormat& y, UnaryS16Op* op) {
  const float x_scale = x.quantization.scale, y_scale = y.quantization.scale;
  op->x_by = NearestFixedMultiplier(static_cast<double>(x_scale) / static_cast<double>(y_scale));
  if (function.kind == UnaryKind::kClip) {
    if (std::isnan(function.a) || std::isnan(function.b)) return false;
    op->lo = IntegerBound<int16_t>(function.a, y.quantization);
    op->hi = std::max(op->lo, IntegerBound<int16_t>(function.b, y.quantization));
  } else if (function.kind == UnaryKind::kLeakyRelu) {
    // Ratios of floats, as they are there.
    const float slope = x_scale * function.a / y_scale;
    if (!std::isfinite(slope) || !std::isfinite(x_scale / y_scale)) return false;
    op->x_by = NearestFixedMultiplier(static_cast<double>(x_scale / y_scale));
    op->negative_by = SignedMultiplier(static_cast<double>(slope));
  }
  return true;
}

}  // namespace

bool PlanUnaryS16(const UnaryOp& function, const ElementFormat& x, const ElementFormat& y, UnaryS16Op* op) {
  *op = {function.kind, x.dtype, y.dtype, x.quantization.zero_point, y.quantization.zero_point, {}, {}, 0, 0};
  if (!HasTypes(x, y)) return false;
  SetRange(y.dtype, op);
  if (function.kind == UnaryKind::kIdentity) return PlanScaled(function, x, y, op);
  if (!IsS16(x) || !IsS16(y) || !IsSymmetric(x) || !IsSymmetric(y)) return false;
  switch (function.kind) {
    case UnaryKind::kClip:
    case UnaryKind::kLeakyRelu:
    case UnaryKind::kAbs:
      return PlanScaled(function, x, y, op);
    case UnaryKind::kSigmoid:
    case UnaryKind::kTanh:
      return PlanTable(x, y, op);
    default:
      return false;
  }
}

Span<const UnaryS16Kernel> UnaryS16Kernels() { return kUnaryS16Kernels; }

const UnaryS16Kernel& SelectUnaryS16(const UnaryS16Op& op, CpuFeatures features) {
  const bool has_vectors = op.kind != UnaryKind::kSigmoid && op.kind != UnaryKind::kTanh &&
                           op.x != DType::kInt32 && op.y != DType::kInt32;
  return has_vectors ? kUnaryS16Kernels[SelectVariant(UnaryS16Kernels(), features)] : kOfAllTypes;
}

}  // namespace micrort
