#include "kernels/base/has_int16.h"
#include "kernels/base/part.h"
#include "kernels/pool/pool.h"
#include "micrort/op_resolver.h"

namespace micrort {

#if !defined(MICRORT_NO_INT16)
MICRORT_LINK(PoolS16Kernels);
#endif

void parts::PoolInt16() {}

}  // namespace micrort
