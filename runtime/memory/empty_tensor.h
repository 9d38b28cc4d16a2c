#pragma once
// Tensors without elements.

#include <cstdint>

#include "kernels/base/checked_math.h"

namespace micrort {

// A valid address for them, that nobody reads from or writes to.
inline void* EmptyTensorData() {
  alignas(kAlignment) static constexpr uint8_t kNothing[kAlignment] = {};
  return const_cast<uint8_t*>(kNothing);
}

}  // namespace micrort
