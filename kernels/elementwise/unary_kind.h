#pragma once
// Functions of one variable. The values are those of `UnaryKind` in schema/micrort.fbs; those up to kSilu are
// also those of `ActivationKind`.

#include <cstdint>

namespace micrort {

enum class UnaryKind : uint8_t {
  kIdentity = 0,
  kClip = 1,       // to [a, b]
  kLeakyRelu = 2,  // x < 0: a * x
  kSigmoid = 3,
  kTanh = 4,
  kHardSigmoid = 5,  // clip(a * x + b, 0, 1)
  kHardSwish = 6,    // x * clip(x / 6 + 1/2, 0, 1)
  kSilu = 7,         // x * sigmoid(x)
  kAbs = 8,
  kNeg = 9,
  kExp = 10,
  kLog = 11,
  kSqrt = 12,
  kReciprocal = 13,
  kFloor = 14,
  kCeil = 15,
  kRound = 16,  // half to even
  kSign = 17,
  kErf = 18,
  kElu = 19,       // x < 0: a * (exp(x) - 1)
  kSelu = 20,      // b * (x < 0: a * (exp(x) - 1), else x)
  kSoftplus = 21,  // log(1 + exp(x))
  kSoftsign = 22,  // x / (1 + |x|)
  kSin = 23,
  kCos = 24,
  kTan = 25,
  kAsin = 26,
  kAcos = 27,
  kAtan = 28,
  kSinh = 29,
  kCosh = 30,
  kAsinh = 31,
  kAcosh = 32,
  kAtanh = 33,
  kNot = 34,              // of bool
  kIsNaN = 35,            // gives bool
  kIsInf = 36,            // gives bool
  kThresholdedRelu = 37,  // x > a: x, else 0
  kCelu = 38,             // max(0, x) + min(0, a * (exp(x / a) - 1))
  kShrink = 39,           // x < -b: x + a; x > b: x - a; else 0
  kGelu = 40,             // x / 2 * (1 + erf(x / sqrt(2)))
  kGeluTanh = 41,         // x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))
  kMish = 42,             // x * tanh(softplus(x))
  kBitwiseNot = 43,
};
constexpr int kUnaryKindCount = 44;

// A function with its parameters, where the kind has them.
struct UnaryOp {
  UnaryKind kind = UnaryKind::kIdentity;
  float a = 0;
  float b = 0;
};

}  // namespace micrort
