#include "kernels/base/part.h"
#include "kernels/gemm/requantize.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(RequantizeFixedKernels);

void parts::LayersInt8Tflite() {}

}  // namespace micrort
