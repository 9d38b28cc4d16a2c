// Tests of kernels see all that the library has, whatever they name of it.

#include "kernels/base/part.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(AllOps);

}  // namespace micrort
