#pragma once
// Operands whose elements are indices.

#include "runtime/ops/op.h"

namespace micrort {

// kInvalidModel unless the elements are int32 or int64.
Status ExpectIndices(const Tensor& indices);

// kInvalidModel unless the indices have the data's rank and are no larger outside the axis.
Status ExpectElementIndices(const Shape& indices, const Shape& data, int axis);

// The error for element `element` of `indices`, which lies outside axis `axis` of `data`.
Status IndexOutside(const Tensor& indices, size_t element, const Tensor& data, int axis);

// The value of a tensor of one int32 or int64 that has its data. kInvalidModel if it is no such tensor.
Status ReadInteger(const Tensor& tensor, int64_t* value);

}  // namespace micrort
