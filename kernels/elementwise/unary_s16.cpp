#include "kernels/elementwise/unary_s16.h"

#include <algorithm>
#include <cmath>

#include "kernels/elementwise/fixed_range.h"
#include "kernels/elementwise/sigmoid_table.h"

namespace micrort {
namespace {

bool IsS16(const ElementFormat& f) { return f.quantized && f.dtype == DType::kInt16; }
bool IsInteger(const ElementFormat& f) {
  return f.quantized && (f.dtype == DType::kInt8 || f.dtype == DType::kInt16 || f.dtype == DType::kInt32);
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

int32_t Load(DType dtype, const void* x, size_t i) {
  if (dtype == DType::kInt8) return static_cast<const int8_t*>(x)[i];
  if (dtype == DType::kInt16) return static_cast<const int16_t*>(x)[i];
  return static_cast<const int32_t*>(x)[i];
}

void Store(DType dtype, int32_t value, void* y, size_t i) {
  if (dtype == DType::kInt8) {
    static_cast<int8_t*>(y)[i] = static_cast<int8_t>(value);
  } else if (dtype == DType::kInt16) {
    static_cast<int16_t*>(y)[i] = static_cast<int16_t>(value);
  } else {
    static_cast<int32_t*>(y)[i] = value;
  }
}

int32_t Scaled(const UnaryS16Op& op, int32_t stored) {
  // Wraps where an int32 is far from its zero point.
  const auto x = static_cast<int32_t>(static_cast<uint32_t>(stored) - static_cast<uint32_t>(op.x_zero));
  int64_t y = op.y_zero;
  if (op.kind == UnaryKind::kLeakyRelu && x < 0) {
    y += Multiply(x, op.negative_by);
  } else {
    y += Multiply(op.kind == UnaryKind::kAbs && x < 0 ? -x : x, op.x_by);
  }
  return static_cast<int32_t>(std::clamp<int64_t>(y, op.lo, op.hi));
}

// `fraction_bits` of a place are between two entries; the table's numbers with so many bits more.
uint32_t Interpolate(uint32_t place, int fraction_bits, uint32_t beyond) {
  const uint32_t entry = place >> fraction_bits;
  if (entry >= kSigmoidEntries - 1) return beyond;
  const uint32_t low = kSigmoidTable[entry], high = kSigmoidTable[entry + 1];
  return (low << fraction_bits) + (place & ((1u << fraction_bits) - 1)) * (high - low);
}

int32_t PlaceOf(const UnaryS16Op& op, int32_t x) {
  const int32_t half = op.x_by.shift > 0 ? int32_t{1} << (op.x_by.shift - 1) : 0;
  return static_cast<int32_t>((int64_t{x} * op.x_by.multiplier + half) >> op.x_by.shift);
}

int32_t SigmoidOf(int32_t place) {
  constexpr int kBits = 9;
  const uint32_t value =
      Interpolate(static_cast<uint32_t>(place < 0 ? -place : place), kBits, uint32_t{0x7fff} << (kBits + 1));
  constexpr uint32_t kOne = uint32_t{1} << (16 + kBits), kHalf = uint32_t{1} << kBits;
  return static_cast<int32_t>((place >= 0 ? value + kHalf : kOne - value + kHalf - 1) >> (kBits + 1));
}

// 2 * sigmoid(2 * x) - 1.
int32_t TanhOf(int32_t place) {
  constexpr int kBits = 8;
  const auto value = static_cast<int32_t>(
      Interpolate(static_cast<uint32_t>(place < 0 ? -place : place), kBits, uint32_t{0xffff} << kBits));
  constexpr int32_t kMiddle = int32_t{1} << (15 + kBits), kHalf = int32_t{1} << (kBits - 1);
  return (place >= 0 ? value - kMiddle + kHalf : kMiddle - value + kHalf - 1) >> kBits;
}

}  // namespace

bool PlanUnaryS16(const UnaryOp& function, const ElementFormat& x, const ElementFormat& y, UnaryS16Op* op) {
  *op = {function.kind, x.dtype, y.dtype, x.quantization.zero_point, y.quantization.zero_point, {}, {}, 0, 0};
  if (!IsInteger(x) || !IsInteger(y) || (!IsS16(x) && !IsS16(y))) return false;
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

void UnaryS16(const UnaryS16Op& op, const void* x, void* y, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) {
    const int32_t value = Load(op.x, x, i);
    int32_t result = 0;
    if (op.kind == UnaryKind::kSigmoid) {
      result = SigmoidOf(PlaceOf(op, value));
    } else if (op.kind == UnaryKind::kTanh) {
      result = TanhOf(PlaceOf(op, value));
    } else {
      result = Scaled(op, value);
    }
    Store(op.y, result, y, i);
  }
}

}  // namespace micrort
