#include "kernels/base/has_int16.h"
#include "kernels/base/part.h"
#include "kernels/elementwise/unary_s16.h"
#include "micrort/op_resolver.h"

namespace micrort {

#if !defined(MICRORT_NO_INT16)
MICRORT_LINK(SelectUnaryS16);
#endif

void parts::UnaryInt16() {}

}  // namespace micrort
