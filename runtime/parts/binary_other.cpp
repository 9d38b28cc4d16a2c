#include "kernels/base/part.h"
#include "kernels/elementwise/binary_64_bit.h"
#include "kernels/elementwise/convert_elements.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(StoreElements);
MICRORT_LINK(SelectBinaryIn64Bits);

void parts::BinaryOther() {}

}  // namespace micrort
