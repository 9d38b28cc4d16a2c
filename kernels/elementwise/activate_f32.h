#pragma once
// Activations that are no clamp, applied by layers to the part of their output that they have just written.

#include <cstddef>

#include "kernels/base/activation.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/elementwise/unary_f32.h"

namespace micrort {

// The kernel of an activation; none for clamps, which epilogues apply themselves.
inline KernelId SelectActivationF32(const Activation& activation, CpuFeatures features) {
  if (activation.is_clamp()) return KernelId::none;
  return UnaryF32Kernels()[SelectVariant(UnaryF32Kernels(), features)].id;
}

class ActivateF32 {
 public:
  ActivateF32(const Activation& activation, KernelId kernel)
      : op_{static_cast<UnaryKind>(activation.kind), activation.a, activation.b},
        run_(kernel == KernelId::none ? nullptr : VariantOf(UnaryF32Kernels(), kernel).run) {}

  // In place on `rows` rows of `columns` floats; does nothing for clamps.
  void operator()(float* y, size_t rows, size_t columns, size_t stride) const {
    if (run_ == nullptr) return;
    if (stride == columns) return run_(op_, y, y, rows * columns);
    for (size_t i = 0; i < rows; ++i) run_(op_, y + i * stride, y + i * stride, columns);
  }

 private:
  const UnaryOp op_;
  const UnaryF32Fn run_;
};

}  // namespace micrort
