#pragma once
// Indices whose type is a parameter.

#include <cstdint>

#include "kernels/base/dtype.h"

namespace micrort {

// f(pointer to the indices in their type), int32 or int64.
template <typename Function>
auto WithIndexType(DType type, const void* indices, Function f) {
  return type == DType::kInt32 ? f(static_cast<const int32_t*>(indices))
                               : f(static_cast<const int64_t*>(indices));
}

}  // namespace micrort
