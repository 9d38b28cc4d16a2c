#pragma once
// The vector instructions of fused element-wise functions. There is one vector value, `v`, that they work on.

#include <cstddef>
#include <cstdint>

#include "kernels/elementwise/binary_kind.h"
#include "kernels/elementwise/unary_kind.h"

namespace micrort {

// Functions of one variable that are worth no pass of their own over a buffer: a few instructions a vector.
#define MICRORT_FUSED_UNARY(X) \
  X(kClip)                     \
  X(kLeakyRelu)                \
  X(kHardSigmoid)              \
  X(kHardSwish)                \
  X(kAbs)                      \
  X(kNeg)                      \
  X(kSqrt) X(kReciprocal) X(kFloor) X(kCeil) X(kRound) X(kSign) X(kSoftsign) X(kThresholdedRelu) X(kShrink)
// Functions of two variables, of which `v` is one.
#define MICRORT_FUSED_BINARY(X) X(kAdd) X(kSub) X(kMul) X(kDiv) X(kMax) X(kMin) X(kPRelu)

enum class FusedMove : uint8_t {
  kLoadF32 = 0,
  kLoadOne,  // one float for all elements
  kLoadF16,
  kLoadS8,  // (q - b) * a
  kLoadU8,
  kLoadS32,  // q * a
  kStoreF32,
  kStoreF16,
  kStoreS8,  // round(v / a) + b, saturated
  kStoreU8,
  kEnd,  // behind the last instruction
};
constexpr size_t kFusedMoves = 11;

// Functions that take fewer instructions than their kinds do.
enum class FusedShort : uint8_t {
  kAtLeast = 0,  // max(a, v): kClip where the other end is infinite
  kAtMost,       // min(b, v)
  kMinusAbs,     // -|v|: kAbs where a is negative, as MergeSigns() makes it
};
constexpr size_t kFusedShorts = 3;

#define MICRORT_COUNT(kind) +1
constexpr size_t kFusedUnaries = 0 MICRORT_FUSED_UNARY(MICRORT_COUNT);
constexpr size_t kFusedBinaries = 0 MICRORT_FUSED_BINARY(MICRORT_COUNT);
#undef MICRORT_COUNT

// Numbers of instructions: moves, short functions, functions of one variable, four of each function of two
// variables, and those of kAdd and kSub once more, as product_sums.h has them.
using FusedOp = uint8_t;
constexpr size_t kFirstFusedUnary = kFusedMoves + kFusedShorts,
                 kFirstFusedBinary = kFirstFusedUnary + kFusedUnaries,
                 kFirstFusedProductSum = kFirstFusedBinary + 4 * kFusedBinaries,
                 kFusedOps = kFirstFusedProductSum + 8;
constexpr FusedOp kNoFusedOp = kFusedOps;

constexpr FusedOp FusedOpOf(FusedMove move) { return static_cast<FusedOp>(move); }
constexpr FusedOp FusedOpOf(FusedShort function) {
  return static_cast<FusedOp>(kFusedMoves + static_cast<size_t>(function));
}
// kNoFusedOp: there is none.
constexpr FusedOp FusedOpOf(UnaryKind kind) {
  size_t op = kFirstFusedUnary;
#define MICRORT_FIND(name)                                      \
  if (kind == UnaryKind::name) return static_cast<FusedOp>(op); \
  ++op;
  MICRORT_FUSED_UNARY(MICRORT_FIND)
#undef MICRORT_FIND
  return kNoFusedOp;
}
constexpr FusedOp FusedOpOf(const UnaryOp& op) {
  constexpr float kInfinity = __builtin_inff();
  if (op.kind == UnaryKind::kClip && op.b == kInfinity) return FusedOpOf(FusedShort::kAtLeast);
  if (op.kind == UnaryKind::kClip && op.a == -kInfinity) return FusedOpOf(FusedShort::kAtMost);
  if (op.kind == UnaryKind::kAbs && op.a < 0) return FusedOpOf(FusedShort::kMinusAbs);
  return FusedOpOf(op.kind);
}
// The other variable: one float for all elements, or one for each. `reversed`: `v` is the second variable.
constexpr FusedOp FusedOpOf(BinaryKind kind, bool is_one, bool reversed) {
  size_t op = kFirstFusedBinary;
#define MICRORT_FIND(name)                                                                                   \
  if (kind == BinaryKind::name) return static_cast<FusedOp>(op + (is_one ? 1u : 0u) + (reversed ? 2u : 0u)); \
  op += 4;
  MICRORT_FUSED_BINARY(MICRORT_FIND)
#undef MICRORT_FIND
  return kNoFusedOp;
}

// The functions of two variables begin with kAdd and kSub.
static_assert(FusedOpOf(BinaryKind::kAdd, false, false) == kFirstFusedBinary);
static_assert(FusedOpOf(BinaryKind::kSub, false, false) == kFirstFusedBinary + 4);
constexpr bool IsFusedSum(FusedOp op) { return op >= kFirstFusedBinary && op < kFirstFusedBinary + 8; }

}  // namespace micrort
