#include "converter/frontend/common/integers.h"

#include <limits>

#include "converter/frontend/common/errors.h"
#include "kernels/base/checked_math.h"

namespace micrort::frontend {

Result<int32_t> ToInt32(int64_t v, const char* what) {
  if (v < std::numeric_limits<int32_t>::min() || v > std::numeric_limits<int32_t>::max())
    return Invalid("{}: {} does not fit 32 bits", what, v);
  return static_cast<int32_t>(v);
}

int64_t SaturatedProduct(int64_t a, int64_t b) {
  int64_t product = 0;
  return CheckedMul(a, b, &product) ? product : std::numeric_limits<int64_t>::max();
}

}  // namespace micrort::frontend
