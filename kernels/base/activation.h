#pragma once
// Activations that epilogues apply. The values are those of `ActivationKind` in schema/micrort.fbs.

#include <cstdint>
#include <limits>

namespace micrort {

enum class ActivationKind : uint8_t {
  kNone = 0,
  kClip = 1,       // to [a, b]
  kLeakyRelu = 2,  // slope a
  kSigmoid = 3,
  kTanh = 4,
  kHardSigmoid = 5,  // clip(a * x + b, 0, 1)
  kHardSwish = 6,
  kSilu = 7,
  kPRelu = 8,  // a slope for each channel, which is an operand of the layer
};

struct Activation {
  ActivationKind kind = ActivationKind::kNone;
  float a = 0;
  float b = 0;

  // The kinds that a pair of bounds expresses; the others have infinite bounds and need a pass of their own.
  bool is_clamp() const { return kind == ActivationKind::kNone || kind == ActivationKind::kClip; }
  float lo() const { return kind == ActivationKind::kClip ? a : -std::numeric_limits<float>::infinity(); }
  float hi() const { return kind == ActivationKind::kClip ? b : std::numeric_limits<float>::infinity(); }
};

}  // namespace micrort
