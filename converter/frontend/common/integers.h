#pragma once
// Integers of source models.

#include <cstdint>

#include "kernels/base/status.h"

namespace micrort::frontend {

// kInvalidModel, naming `what`, for a number that 32 bits do not hold.
Result<int32_t> ToInt32(int64_t v, const char* what);

// a * b; where 64 bits do not hold it the largest number, which ToInt32 refuses. For sizes, which are not
// negative.
int64_t SaturatedProduct(int64_t a, int64_t b);

}  // namespace micrort::frontend
