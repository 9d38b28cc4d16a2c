#pragma once
// Copies of int8 tensors that change every element by a table: requantization without arithmetic in the loop.

#include <cstdint>

#include "kernels/base/parallel.h"

namespace micrort {

// map[q + 128] is what q becomes.
struct ByteMap {
  int8_t map[256];
};

// q → round_half_even((q - in_zero_point) * (in_scale / out_scale)) + out_zero_point, saturated. The factor
// is computed in double and rounded to float; the product is one float multiplication.
ByteMap RequantizationMap(float in_scale, int32_t in_zero_point, float out_scale, int32_t out_zero_point);

// rows x cols elements; rows are `src_stride` and `dst_stride` elements apart.
void MapBytes(const ByteMap& map, size_t rows, size_t cols, const int8_t* src, size_t src_stride, int8_t* dst,
              size_t dst_stride, const Parallel& parallel);

}  // namespace micrort
