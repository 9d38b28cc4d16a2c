#pragma once
// What neon_6x16 leaves to another loop on cores that execute in order.

#include "kernels/gemm/gemm_f32.h"

namespace micrort {

constexpr size_t kGemmF32InOrderRows = 12;

// Twelve rows at a time, or more than six, of a whole panel of sixteen columns, from the first on; returns
// how many rows that were. Their pointers are in two tiles of six.
size_t GemmF32InOrder(const GemmF32Tile& tile);

}  // namespace micrort
