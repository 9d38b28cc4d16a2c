#include "kernels/base/part.h"
#include "kernels/elementwise/binary_s8.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(SelectBinaryS8);

void parts::BinaryInt8() {}

}  // namespace micrort
