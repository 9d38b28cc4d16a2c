#pragma once
// Functions of many numbers. The values are those of `ReduceKind` in schema/micrort.fbs.

#include <cstdint>

namespace micrort {

enum class ReduceKind : uint8_t {
  kSum = 0,
  kMean = 1,  // of integers: the quotient truncates
  kMax = 2,   // NaN where an element is
  kMin = 3,   // likewise
  kProd = 4,
  kL1 = 5,
  kL2 = 6,
  kSumSquare = 7,
  kLogSum = 8,
  kLogSumExp = 9,
  kArgMax = 10,
  kArgMin = 11,
};
constexpr int kReduceKindCount = 12;

// The loops that the kinds are made of: acc = acc + x, + |x|, + x^2, + exp(x - shift), max, min, acc * x.
enum class FoldKind : uint8_t { kSum, kSumAbs, kSumSquare, kSumExp, kMax, kMin, kProd };

}  // namespace micrort
