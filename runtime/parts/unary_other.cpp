#include "kernels/base/part.h"
#include "kernels/elementwise/convert_elements.h"
#include "kernels/elementwise/unary_64_bit.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(StoreElements);
MICRORT_LINK(SelectUnaryIn64Bits);

void parts::UnaryOther() {}

}  // namespace micrort
