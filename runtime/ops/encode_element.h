#pragma once
// A number as one element of a tensor.

#include <cstdint>

#include "runtime/ops/op.h"

namespace micrort {

// Writes SizeOf(tensor.dtype) bytes. Where the tensor is quantized as a whole, the level nearest to `value`;
// integers truncate; both saturate, and NaN becomes 0.
void EncodeElement(double value, const Tensor& tensor, uint8_t* bytes);

}  // namespace micrort
