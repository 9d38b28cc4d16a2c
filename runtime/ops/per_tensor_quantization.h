#pragma once
// Checked reading of a tensor's quantization, for operators that compute with it.

#include "runtime/ops/op.h"

namespace micrort {

// kInvalidModel unless every scale is finite and positive.
Status CheckScales(const Tensor& tensor);

// The one scale and zero point of an int8, uint8, int16 or int32 tensor. kInvalidModel unless there is one of
// each, the scale finite and positive and the zero point a value of the type.
Status ReadPerTensor(const Tensor& tensor, float* scale, int32_t* zero_point);

// The same of a tensor whose zero point must be 0.
Status ReadSymmetric(const Tensor& tensor, float* scale);

}  // namespace micrort
