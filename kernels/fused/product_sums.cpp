#include "kernels/fused/product_sums.h"

namespace micrort {
namespace {

FusedUnits UnitsOfUnary(UnaryKind kind) {
  switch (kind) {
    case UnaryKind::kClip:
      return {2, 0};
    case UnaryKind::kLeakyRelu:
      return {1, 1};
    case UnaryKind::kHardSigmoid:
      return {3, 1};
    case UnaryKind::kHardSwish:
      return {3, 2};
    case UnaryKind::kAbs:
    case UnaryKind::kNeg:
      return {0, 0};
    case UnaryKind::kSqrt:
    case UnaryKind::kReciprocal:
      return {0, 8};
    case UnaryKind::kSoftsign:
      return {1, 8};
    case UnaryKind::kSign:
      return {2, 0};
    case UnaryKind::kShrink:
      return {4, 0};
    default:  // floor, ceil, round, thresholded ReLU
      return {1, 0};
  }
}

FusedUnits UnitsOfBinary(BinaryKind kind) {
  switch (kind) {
    case BinaryKind::kMul:
      return {0, 1};
    case BinaryKind::kDiv:
      return {0, 8};
    case BinaryKind::kMax:
    case BinaryKind::kMin:
      return {2, 0};
    case BinaryKind::kPRelu:
      return {1, 1};
    default:
      return {1, 0};
  }
}

}  // namespace

FusedUnits UnitsOf(FusedOp op) {
  if (op < kFusedMoves) return {};
  if (op == FusedOpOf(FusedShort::kMinusAbs)) return {};
  if (op < kFirstFusedUnary) return {1, 0};
  if (op < kFirstFusedBinary) {
#define MICRORT_NAME(kind) UnaryKind::kind,
    constexpr UnaryKind kKinds[] = {MICRORT_FUSED_UNARY(MICRORT_NAME)};
#undef MICRORT_NAME
    return UnitsOfUnary(kKinds[op - kFirstFusedUnary]);
  }
  if (op >= kFirstFusedProductSum) return {0, 1};
#define MICRORT_NAME(kind) BinaryKind::kind,
  constexpr BinaryKind kKinds[] = {MICRORT_FUSED_BINARY(MICRORT_NAME)};
#undef MICRORT_NAME
  return UnitsOfBinary(kKinds[(op - kFirstFusedBinary) / 4]);
}

}  // namespace micrort
