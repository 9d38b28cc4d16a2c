#pragma once
// As call_fields.h, of fused element-wise functions.

#include "converter/aot/assignments.h"
#include "kernels/fused/fused_layout.h"

namespace micrort::aot {

MICRORT_FIELDS(FusedBroadcastPlan, inputs, elements, run, rank, dims, strides, run_strides, is_dense)
MICRORT_FIELDS(FusedLayout, plan, outputs, buffers, by_rows, repeats, piece, buffer, operands, is_copied,
               input_bytes, output_bytes)

}  // namespace micrort::aot
