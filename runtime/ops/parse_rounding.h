#pragma once
// How the file says that an operator rounds.

#include "kernels/base/rounding.h"
#include "kernels/base/status.h"
#include "schema/micrort_generated.h"

namespace micrort {

inline Status ParseRounding(const schema::Operator& op, Rounding* out) {
  static_assert(static_cast<int>(Rounding::kTflite) == static_cast<int>(schema::Rounding::Tflite));
  if (op.rounding() > schema::Rounding::MAX) {
    return MICRORT_ERROR(kInvalidModel, "unknown rounding %d", static_cast<int>(op.rounding()));
  }
  *out = static_cast<Rounding>(op.rounding());
  return Status();
}

}  // namespace micrort
