#include "kernels/base/part.h"
#include "kernels/pool/pool.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(PoolU8Kernels);

void parts::PoolOther() {}

}  // namespace micrort
