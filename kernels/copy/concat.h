#pragma once
// Tensors one after another along an axis.

#include <cstddef>
#include <cstdint>

#include "kernels/base/parallel.h"

namespace micrort {

struct ConcatCall {
  int axis;
  bool interleaves;  // every input has one element a row: Interleave() instead of parts
};

// One input and its columns of the output, both seen as matrices with the axis and all that follows it as
// columns. `column` is counted in elements.
struct ConcatPart {
  int64_t rows, cols, out_cols, column;
  size_t element_bytes;
  // For int8 whose quantization is not the output's.
  bool requantizes;
  float scale, out_scale;
  int32_t zero_point, out_zero_point;
};

void RunConcatPart(const ConcatPart& part, const void* x, void* y, const Parallel& parallel);

}  // namespace micrort
