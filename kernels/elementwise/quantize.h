#pragma once
// Floats to quantized integers and back, with everything decided. A quantized tensor is made of slices that
// have one scale each.

#include "kernels/base/dtype.h"
#include "kernels/base/parallel.h"
#include "kernels/elementwise/convert_f32.h"

namespace micrort {

// The tensor is [outer][slices][inner]; slice i of every outer index has scale i. One scale for all: 1 x 1 x
// elements.
struct QuantizedSlices {
  size_t outer, slices, inner;
};

struct ConvertCall {
  bool quantizes;              // from floats to `dtype`, or back
  DType dtype;                 // int8 or uint8; from int32 as well, and to int16
  QuantizedSlices slices;      // of the quantized tensor
  const float* scales;         // a slice
  const int32_t* zero_points;  // a slice; null: 0
  KernelId kernel = KernelId::none;
};

// Where both have elements of one size, y may be x.
void RunConvert(const ConvertCall& call, const void* x, void* y, const Parallel& parallel);

}  // namespace micrort
