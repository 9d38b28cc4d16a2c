#include "runtime/ops/conv_geometry.h"

#include <cinttypes>

#include "kernels/base/checked_math.h"

namespace micrort {

Status ConvOutputSize(const char* axis, int64_t in, int64_t kernel, int64_t stride, int64_t dilation,
                      int64_t pads, int64_t* out) {
  int64_t padded = 0, extent = 0;
  const bool fits = kernel > 0 && CheckedAdd(in, pads, &padded) &&
                    CheckedMul(dilation, kernel - 1, &extent) && extent < padded;
  if (!fits) {
    return MICRORT_ERROR(kInvalidModel,
                         "%s: a kernel of %" PRId64 " with dilation %" PRId64 " does not fit into %" PRId64
                         " elements with %" PRId64 " of padding",
                         axis, kernel, dilation, in, pads);
  }
  *out = (padded - extent - 1) / stride + 1;
  return Status();
}

}  // namespace micrort
