#include "kernels/base/part.h"
#include "kernels/elementwise/binary_fixed.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(PlanBinaryFixed);

void parts::BinaryInt8Tflite() {}

}  // namespace micrort
