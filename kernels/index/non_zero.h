#pragma once
// NonZero: where a tensor is not zero.

#include <cstddef>
#include <cstdint>

#include "kernels/base/dtype.h"
#include "kernels/base/shape.h"

namespace micrort {

// Has no parameters: all is said by the tensor.
struct NonZeroCall {};

// Elements that are not zero; a NaN is none.
size_t CountNonZero(DType dtype, const void* x, size_t n);

// y: [rank][count], the coordinates of the `count` elements that CountNonZero counted, in their order.
void NonZero(DType dtype, const void* x, const Shape& shape, size_t count, int64_t* y);

}  // namespace micrort
