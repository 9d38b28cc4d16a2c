#pragma once
// Packing of the right-hand matrix (weights) into the panels that GEMM micro-kernels read.

#include <cstddef>
#include <cstdint>

#include "kernels/base/dtype.h"
#include "kernels/base/int4.h"

namespace micrort {

// Element (k, j) is data[j * column_stride + k * depth_stride]. int4 elements, whose depth_stride is 1, are
// counted one by one, and columns have an even number of them.
struct MatrixB {
  const void* data;
  DType type;  // float32, float16, int8 or int4
  int64_t column_stride, depth_stride;
  const float* scales;  // of int8: one a column at j * scale_stride
  Int4Grid grid;        // of int4: those of column j start at j * scale_stride
  int64_t scale_stride;
  int64_t group = 0;  // of int4: so many elements of a column have one scale; 0: all
  // Where k is not a row of `data` itself: `channels` rows after each other are one tap, and tap t is
  // taps[t].
  const int64_t* taps = nullptr;
  int64_t channels = 0;

  // The row of `data` for row k.
  int64_t row(size_t k) const {
    const auto at = static_cast<int64_t>(k);
    return taps == nullptr ? at : taps[at / channels] * channels + at % channels;
  }
};

// Floats [ceil(columns / nr)][depth][nr]: float16 widened, int8 and int4 multiplied by their scale. Columns
// beyond the last are zero.
void PackBF32(const MatrixB& b, size_t depth, size_t columns, size_t nr, float* out);
inline uint64_t PackedBF32Elements(uint64_t depth, uint64_t columns, uint64_t nr) {
  return (columns + nr - 1) / nr * nr * depth;
}

// int8 [ceil(columns / nr)][ceil(depth / kr)][nr][kr]: beyond the last column and depth it is zero.
// sums[j] is the sum of column j. int4 is widened (kernels/gemm/widen_int4.h).
void PackBS8(const MatrixB& b, size_t depth, size_t columns, size_t nr, size_t kr, int8_t* out,
             int32_t* sums);
inline uint64_t PackedBS8Elements(uint64_t depth, uint64_t columns, uint64_t nr, uint64_t kr) {
  return (columns + nr - 1) / nr * nr * ((depth + kr - 1) / kr * kr);
}

}  // namespace micrort
