#pragma once
// What dotprod_6x16 leaves to another loop on cores that execute in order.

#include "kernels/gemm/gemm_s8.h"

namespace micrort {

constexpr size_t kGemmS8InOrderRows = 12;

// Twelve rows at a time, or more than six, of a whole panel of sixteen columns, from the first on; returns
// how many rows that were.
size_t GemmS8InOrder(const GemmS8Block& block);

}  // namespace micrort
