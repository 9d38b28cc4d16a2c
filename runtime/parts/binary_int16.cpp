#include "kernels/base/has_int16.h"
#include "kernels/base/part.h"
#include "kernels/elementwise/binary_s16.h"
#include "micrort/op_resolver.h"

namespace micrort {

#if !defined(MICRORT_NO_INT16)
MICRORT_LINK(SelectBinaryS16);
#endif

void parts::BinaryInt16() {}

}  // namespace micrort
