#pragma once
// Integers of source models.

#include <cstdint>

#include "kernels/base/status.h"

namespace micrort::frontend {

// kInvalidModel, naming `what`, for a number that 32 bits do not hold.
Status ToInt32(int64_t v, const char* what, int32_t* out);

}  // namespace micrort::frontend
