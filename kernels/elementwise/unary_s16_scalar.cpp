#include <algorithm>

#include "kernels/elementwise/sigmoid_table.h"
#include "kernels/elementwise/unary_s16.h"

namespace micrort {
namespace {

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

void UnaryS16_scalar(const UnaryS16Op& op, const void* x, void* y, size_t n) {
  for (size_t i = 0; i < n; ++i) {
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
