#pragma once
// As call_fields.h, of fused element-wise functions.

#include "converter/aot/assignments.h"
#include "kernels/fused/fused_layout.h"

namespace micrort::aot {

#define MICRORT_FIELD(name) to.Field(#name, value.name, initial.name)
inline void Fields(Assignments& to, const FusedBroadcastPlan& value, const FusedBroadcastPlan& initial) {
  MICRORT_FIELD(inputs);
  MICRORT_FIELD(elements);
  MICRORT_FIELD(run);
  MICRORT_FIELD(rank);
  MICRORT_FIELD(dims);
  for (size_t i = 0; i < kMaxFusedInputs; ++i) {
    to.Field(("strides[" + std::to_string(i) + "]").c_str(), value.strides[i], initial.strides[i]);
  }
  MICRORT_FIELD(run_strides);
  MICRORT_FIELD(is_dense);
}
inline void Fields(Assignments& to, const FusedLayout& value, const FusedLayout& initial) {
  MICRORT_FIELD(plan);
  MICRORT_FIELD(outputs);
  MICRORT_FIELD(buffers);
  MICRORT_FIELD(by_rows);
  MICRORT_FIELD(repeats);
  MICRORT_FIELD(piece);
  MICRORT_FIELD(buffer);
  MICRORT_FIELD(operands);
  MICRORT_FIELD(is_copied);
  MICRORT_FIELD(input_bytes);
  MICRORT_FIELD(output_bytes);
}
#undef MICRORT_FIELD

}  // namespace micrort::aot
