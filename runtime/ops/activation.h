#pragma once
// Activations as the file stores them.

#include "kernels/base/activation.h"
#include "kernels/base/status.h"
#include "schema/micrort_generated.h"

namespace micrort {

// Whether an operator has an input of slopes, as PRelu needs.
enum class Slopes { kNone, kInput };

// `stored` may be null: no activation.
inline Status ParseActivation(const schema::Activation* stored, Slopes slopes, Activation* out) {
  *out = Activation();
  if (stored == nullptr) return Status();
  const bool lacks_slopes = stored->kind() == schema::ActivationKind::PRelu && slopes == Slopes::kNone;
  if (stored->kind() > schema::ActivationKind::MAX || lacks_slopes) {
    return MICRORT_ERROR(kInvalidModel, "unknown activation %d", static_cast<int>(stored->kind()));
  }
  out->kind = static_cast<ActivationKind>(stored->kind());
  out->a = stored->a();
  out->b = stored->b();
  return Status();
}

}  // namespace micrort
