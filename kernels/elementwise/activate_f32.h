#pragma once
// Activations that are no clamp, applied by layers to the part of their output that they have just written.

#include <cstddef>

#include "kernels/base/activation.h"
#include "kernels/base/rows.h"
#include "kernels/elementwise/unary_f32.h"

namespace micrort {

// In place on `rows` rows of `columns` floats; does nothing for clamps, which epilogues apply themselves.
inline void ActivateF32(const Activation& activation, CpuFeatures features, float* y, size_t rows,
                        size_t columns, size_t stride) {
  if (activation.is_clamp()) return;
  const UnaryOp op = {static_cast<UnaryKind>(activation.kind), activation.a, activation.b};
  const UnaryF32Kernel& kernel = UnaryF32Kernels()[SelectRow(UnaryF32Kernels(), features)];
  if (stride == columns) return kernel.run(op, y, y, rows * columns);
  for (size_t i = 0; i < rows; ++i) kernel.run(op, y + i * stride, y + i * stride, columns);
}

}  // namespace micrort
