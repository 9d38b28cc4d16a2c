#include "converter/frontend/common/integers.h"

#include <limits>

namespace micrort::frontend {

Status ToInt32(int64_t v, const char* what, int32_t* out) {
  if (v < std::numeric_limits<int32_t>::min() || v > std::numeric_limits<int32_t>::max())
    return MICRORT_ERROR(kInvalidModel, "%s: %lld does not fit 32 bits", what, static_cast<long long>(v));
  *out = static_cast<int32_t>(v);
  return Status();
}

}  // namespace micrort::frontend
