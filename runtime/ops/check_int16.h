#pragma once
// Builds without int16 (MICRORT_INT16=OFF) refuse nodes that compute with it.

#include "kernels/base/has_int16.h"
#include "runtime/ops/op.h"
#include "schema/micrort_generated.h"

namespace micrort {

// kUnsupported where the node's integers stand for numbers that it rounds as TensorFlow Lite, some of them
// int16, and the build has no kernels for that. What only moves int16 runs everywhere.
inline Status CheckInt16(const schema::Operator& op, Span<Tensor* const> inputs,
                         Span<Tensor* const> outputs) {
  if (kHasInt16 || op.rounding() == schema::Rounding::Exact) return Status();
  const auto begins_with_int16 = [](Span<Tensor* const> tensors) {
    return !tensors.empty() && tensors[0] != nullptr && tensors[0]->dtype == DType::kInt16;
  };
  if (!begins_with_int16(inputs) && !begins_with_int16(outputs)) return Status();
  return MICRORT_ERROR(kUnsupported, "it computes with int16, which this build leaves out (MICRORT_INT16)");
}

}  // namespace micrort
