#pragma once
// Panels of int4 weights (kernels/gemm/gemm_s4.h).

#include <cstddef>
#include <cstdint>

#include "kernels/gemm/gemm_s4.h"
#include "kernels/gemm/pack_b.h"

namespace micrort {

// The panel of columns from `first` on. Sums of columns that do not exist, behind the last of `columns`, are
// 0.
void PackS4Panel(const MatrixB& b, const Int4Panel& panel, size_t depth, size_t first, size_t columns,
                 uint8_t* out);

}  // namespace micrort
