#include "kernels/base/part.h"
#include "kernels/pool/pool.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(PoolS8Kernels);

void parts::PoolInt8() {}

}  // namespace micrort
