#include <cstring>

#include "micrort/custom_op.h"
#include "micrort/op_resolver.h"

namespace micrort {

OpResolver& OpResolver::AddCustom(const micrort_custom_op& op) {
  if (custom_count_ < kMaxCustomOps) custom_[custom_count_] = &op;
  ++custom_count_;
  return Add(ops::Custom());
}

OpResolver& OpResolver::TakeUnknownCustom() {
  takes_unknown_custom_ = true;
  return Add(ops::Custom());
}

const micrort_custom_op* OpResolver::FindCustom(const char* domain, const char* name) const {
  if (custom_count_ > kMaxCustomOps) return nullptr;
  for (size_t i = custom_count_; i-- > 0;) {
    if (std::strcmp(custom_[i]->domain, domain) == 0 && std::strcmp(custom_[i]->name, name) == 0) {
      return custom_[i];
    }
  }
  return nullptr;
}

Status CheckCustomOp(const micrort_custom_op* op) {
  const bool is_whole = op != nullptr && op->struct_bytes == sizeof(micrort_custom_op) &&
                        op->domain != nullptr && op->name != nullptr && op->prepare != nullptr &&
                        op->run != nullptr;
  if (is_whole) return Status();
  return MICRORT_ERROR(kInvalidArgument,
                       "a custom operator: expected struct_bytes of %zu, a domain, a name, prepare and run",
                       sizeof(micrort_custom_op));
}

}  // namespace micrort
