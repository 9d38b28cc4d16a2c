#include "kernels/base/part.h"
#include "kernels/pool/pool.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(PoolF16Kernels);

void parts::PoolFloat16() {}

}  // namespace micrort
