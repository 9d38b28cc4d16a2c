#pragma once
// The right-hand matrix of a float product (weights) as panels of nr columns, which micro-kernels read as
// floats. Panels hold floats, or weights as narrow as they came, of which a block becomes floats when it is
// needed: less memory and less traffic, for a little more work.
//
// A panel has as many elements as columns that do not exist, too; these are zero:
//   float32          [depth][nr]
//   float16          [depth][nr]
//   int8             scales, float [nr]; then [depth][nr]
//   int4             runs of kernels/gemm/dequantize_weights.h

#include <cstddef>
#include <cstdint>

#include "kernels/elementwise/convert_f32.h"
#include "kernels/gemm/dequantize_weights.h"
#include "kernels/gemm/pack_b.h"

namespace micrort {

class PackedB {
 public:
  // Whether panels can hold weights of this type as they are; `group` as in MatrixB. What reads int4 is a
  // part (kernels/base/part.h).
  static bool HoldsNarrow(DType type, int64_t group);

  // `held`: float32, or the type of the matrix where HoldsNarrow() is true. half_scales: those of int4 are
  // halves.
  PackedB(DType held, size_t depth, size_t nr, KernelId dequantize = KernelId::none,
          KernelId convert = KernelId::none, bool half_scales = false);

  uint64_t panel_bytes() const;
  uint64_t bytes(size_t columns) const { return (columns + nr_ - 1) / nr_ * panel_bytes(); }
  void Pack(const MatrixB& b, size_t columns, void* out) const;

  // Floats of scratch that Block() needs for so many rows.
  size_t scratch_elements(size_t rows) const;
  // Rows [first, first + rows) of a panel as floats [rows][nr]: in the panel itself or in scratch, by the
  // kernels that the panels were made for.
  const float* Block(const void* panel, size_t first, size_t rows, float* scratch) const;

 private:
  const DType held_;
  const bool half_scales_;
  const size_t depth_, nr_;
  // That of held_; the others are null.
  FromHalfFn from_half_ = nullptr;
  DequantizeWeightsS8Fn s8_ = nullptr;
  DequantizeWeightsS4Fn s4_ = nullptr;
};

}  // namespace micrort
