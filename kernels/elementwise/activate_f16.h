#pragma once
// Activations that are no clamp, applied by layers to the halves that they have just written.

#include <cstdint>

#include "kernels/elementwise/activate_f32.h"
#include "kernels/elementwise/elements.h"

namespace micrort {

class ActivateF16 {
 public:
  // `kernel`: SelectActivationF32(); `convert`: SelectConvertF32().
  ActivateF16(const Activation& activation, KernelId kernel, KernelId convert)
      : is_none_(kernel == KernelId::none),
        in_float_(activation, kernel),
        convert_(VariantOf(ConvertF32Kernels(), convert)) {}

  // In place on `rows` rows of `columns` halves; does nothing for clamps.
  void operator()(uint16_t* y, size_t rows, size_t columns, size_t stride) const {
    if (is_none_) return;
    if (stride == columns) return Row(y, rows * columns);
    for (size_t i = 0; i < rows; ++i) Row(y + i * stride, columns);
  }

 private:
  void Row(uint16_t* y, size_t n) const {
    float floats[kChunkElements];
    for (size_t first = 0; first < n; first += kChunkElements) {
      const size_t count = n - first < kChunkElements ? n - first : kChunkElements;
      convert_.from_half(y + first, floats, count);
      in_float_(floats, 1, count, count);
      convert_.to_half(floats, y + first, count);
    }
  }

  const bool is_none_;
  const ActivateF32 in_float_;
  const ConvertF32Kernel& convert_;
};

}  // namespace micrort
