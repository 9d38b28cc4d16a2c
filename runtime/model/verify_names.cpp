#include <algorithm>
#include <string_view>

#include "kernels/base/fixed_array.h"
#include "runtime/model/verify_steps.h"

namespace micrort {

Status VerifyNames(VerifyContext& context, const schema::Subgraph& subgraph) {
  FixedArray<std::string_view> names;
  MICRORT_RETURN_IF_ERROR(names.Allocate(Count(subgraph.tensors())));
  for (uint32_t i = 0; i < names.size(); ++i) {
    names[i] = subgraph.tensors()->Get(i)->name()->string_view();
    MICRORT_RETURN_IF_ERROR(context.Spend(names[i].size()));
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return Status();
  return MICRORT_ERROR(kInvalidModel, "expected one tensor a name, found two of name '%.*s'",
                       static_cast<int>(std::min<size_t>(twice->size(), 100)), twice->data());
}

}  // namespace micrort
