#include "kernels/base/part.h"
#include "kernels/pool/pool.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(PoolF32Kernels);

void parts::PoolFloat32() {}

}  // namespace micrort
