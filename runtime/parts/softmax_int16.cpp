#include "kernels/base/has_int16.h"
#include "kernels/base/part.h"
#include "kernels/elementwise/softmax_s16.h"
#include "micrort/op_resolver.h"

namespace micrort {

#if !defined(MICRORT_NO_INT16)
MICRORT_LINK(SoftmaxS16);
#endif

void parts::SoftmaxInt16() {}

}  // namespace micrort
