#pragma once
// int4 weights as int8 with one scale a column, for products of integers: a part (kernels/base/part.h).
// Groups of a column whose scale is its largest one are exact; the errors of another one's weights add
// up to half of an int8 step at most.

#include <cstddef>
#include <cstdint>

#include "kernels/base/int4.h"
#include "kernels/gemm/pack_b.h"

namespace micrort {

// The scale of the int8 of a column whose groups have these scales, all finite and > 0.
float WidenedScale(const Int4Grid& column, size_t groups);

// Rows [k, k + n) of column j, where errors begin to add up, as they do with each group; within [-120, 105].
void WidenInt4(const MatrixB& b, size_t j, size_t k, size_t n, int8_t* out);

}  // namespace micrort
