#include "micrort/op_resolver.h"

#include "runtime/ops/op.h"

namespace micrort {

OpResolver& OpResolver::Add(const OpRegistration& registration) {
  if (registration.code >= 0 && registration.code < kMaxOps) table_[registration.code] = &registration;
  return *this;
}

}  // namespace micrort
