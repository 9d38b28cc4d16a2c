#pragma once
// Functions of two variables. The values are those of `BinaryKind` in schema/micrort.fbs.

#include <cstdint>

namespace micrort {

enum class BinaryKind : uint8_t {
  kAdd = 0,
  kSub = 1,
  kMul = 2,
  kDiv = 3,    // integers truncate
  kPow = 4,    // integers wrap; negative exponents of integers truncate 1 / a^-b
  kMax = 5,    // NaN where either operand is
  kMin = 6,    // likewise
  kMod = 7,    // the sign is the divisor's
  kFmod = 8,   // the sign is the dividend's
  kPRelu = 9,  // a < 0: a * b, else a
  kEqual = 10,
  kLess = 11,
  kLessOrEqual = 12,
  kGreater = 13,
  kGreaterOrEqual = 14,
  kAnd = 15,  // of bool
  kOr = 16,
  kXor = 17,
  kBitwiseAnd = 18,  // of integers
  kBitwiseOr = 19,
  kBitwiseXor = 20,
  kShiftLeft = 21,
  kShiftRight = 22,
};
constexpr int kBinaryKindCount = 23;

constexpr bool IsComparison(BinaryKind kind) {
  return kind >= BinaryKind::kEqual && kind <= BinaryKind::kGreaterOrEqual;
}
constexpr bool IsLogical(BinaryKind kind) { return kind >= BinaryKind::kAnd && kind <= BinaryKind::kXor; }
constexpr bool IsBitwise(BinaryKind kind) {
  return kind >= BinaryKind::kBitwiseAnd && kind <= BinaryKind::kShiftRight;
}

}  // namespace micrort
