#pragma once
// How the elements of a tensor stand for numbers, for operators that compute on any type.

#include "kernels/elementwise/elements.h"
#include "runtime/ops/op.h"

namespace micrort {

// kInvalidModel if the tensor has a scale a slice, or a scale or zero point that are impossible.
Status ReadElementFormat(const Tensor& tensor, ElementFormat* format);

// The same of int8, int16 or int32 that stand for numbers; kInvalidModel for others.
Status ReadFixedFormat(const Tensor& tensor, ElementFormat* format);

// As ReadElementFormat for output i, whose type is `natural` (the type of the operator's values), or float32,
// int8 or uint8 if `natural` is quantized and the file says so. Sets the output's type and shape.
Status SetElementwiseOutput(PrepareContext& context, int i, const ElementFormat& natural, const Shape& shape,
                            ElementFormat* format);

// Lets output 0 take the memory of the first input that has its shape and an element of the same size.
void AllowElementwiseInPlace(PrepareContext& context, int inputs);

}  // namespace micrort
