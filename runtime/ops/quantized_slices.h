#pragma once
// A quantized tensor as slices that have one scale each.

#include "kernels/elementwise/quantize.h"
#include "runtime/ops/op.h"

namespace micrort {

// kInvalidModel unless the tensor is quantized, with as many scales as slices, all finite and > 0, and zero
// points that its type can hold.
Status ReadQuantizedSlices(const Tensor& tensor, const Shape& shape, QuantizedSlices* slices);

// All of the call but its direction, of the tensor that is quantized.
Status ReadConvertCall(const Tensor& tensor, const Shape& shape, CpuFeatures features, ConvertCall* call);

}  // namespace micrort
