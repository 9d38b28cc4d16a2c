#pragma once
// Activations that are no clamp, applied by layers to the halves that they have just written.

#include <cstdint>

#include "kernels/elementwise/activate_f32.h"
#include "kernels/elementwise/elements.h"

namespace micrort {

class ActivateF16 {
 public:
  // `kernel`: SelectActivationF32(); `convert`: SelectConvertF32().
  ActivateF16(const Activation& activation, KernelId kernel, KernelId convert, const float* slopes)
      : is_none_(kernel == KernelId::none),
        has_slopes_(activation.kind == ActivationKind::kPRelu),
        in_float_(activation, kernel, slopes),
        convert_(VariantOf(ConvertF32Kernels(), convert)) {}

  // In place on `rows` rows of `columns` halves, the first of which is of channel `channel`; does nothing for
  // clamps.
  void operator()(uint16_t* y, size_t rows, size_t columns, size_t stride, size_t channel) const {
    if (is_none_) return;
    if (stride == columns && !has_slopes_) return Row(y, rows * columns, channel);
    for (size_t i = 0; i < rows; ++i) Row(y + i * stride, columns, channel);
  }

 private:
  void Row(uint16_t* y, size_t n, size_t channel) const {
    float floats[kChunkElements];
    for (size_t first = 0; first < n; first += kChunkElements) {
      const size_t count = n - first < kChunkElements ? n - first : kChunkElements;
      convert_.from_half(y + first, floats, count);
      in_float_(floats, 1, count, count, channel + first);
      convert_.to_half(floats, y + first, count);
    }
  }

  const bool is_none_, has_slopes_;
  const ActivateF32 in_float_;
  const ConvertF32Kernel& convert_;
};

}  // namespace micrort
