#pragma once
// Activations that are no clamp, applied by layers to the part of their output that they have just written.

#include <cstddef>

#include "kernels/base/activation.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/elementwise/prelu_f32.h"
#include "kernels/elementwise/unary_f32.h"

namespace micrort {

// The kernel of an activation; none for clamps, which epilogues apply themselves.
inline KernelId SelectActivationF32(const Activation& activation, CpuFeatures features) {
  if (activation.is_clamp()) return KernelId::none;
  if (activation.kind == ActivationKind::kPRelu)
    return PReluF32Kernels()[SelectVariant(PReluF32Kernels(), features)].id;
  return UnaryF32Kernels()[SelectVariant(UnaryF32Kernels(), features)].id;
}

class ActivateF32 {
 public:
  // `slopes`: of all channels, for kPRelu.
  ActivateF32(const Activation& activation, KernelId kernel, const float* slopes)
      : op_{static_cast<UnaryKind>(activation.kind), activation.a, activation.b}, slopes_(slopes) {
    if (kernel == KernelId::none) return;
    if (activation.kind == ActivationKind::kPRelu) {
      prelu_ = VariantOf(PReluF32Kernels(), kernel).run;
    } else {
      unary_ = VariantOf(UnaryF32Kernels(), kernel).run;
    }
  }

  // In place on `rows` rows of `columns` floats, the first of which is of channel `channel`; does nothing for
  // clamps.
  void operator()(float* y, size_t rows, size_t columns, size_t stride, size_t channel) const {
    if (prelu_ != nullptr) return prelu_(slopes_ + channel, y, rows, columns, stride);
    if (unary_ == nullptr) return;
    if (stride == columns) return unary_(op_, y, y, rows * columns);
    for (size_t i = 0; i < rows; ++i) unary_(op_, y + i * stride, y + i * stride, columns);
  }

 private:
  const UnaryOp op_;
  const float* const slopes_;
  UnaryF32Fn unary_ = nullptr;
  PReluF32Fn prelu_ = nullptr;
};

}  // namespace micrort
