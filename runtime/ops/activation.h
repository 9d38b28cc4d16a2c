#pragma once
// Activations as the file stores them.

#include "kernels/base/activation.h"
#include "kernels/base/status.h"
#include "schema/micrort_generated.h"

namespace micrort {

// `stored` may be null: no activation.
inline Status ParseActivation(const schema::Activation* stored, Activation* out) {
  *out = Activation();
  if (stored == nullptr) return Status();
  if (stored->kind() > schema::ActivationKind::MAX) {
    return MICRORT_ERROR(kInvalidModel, "unknown activation %d", static_cast<int>(stored->kind()));
  }
  out->kind = static_cast<ActivationKind>(stored->kind());
  out->a = stored->a();
  out->b = stored->b();
  return Status();
}

}  // namespace micrort
