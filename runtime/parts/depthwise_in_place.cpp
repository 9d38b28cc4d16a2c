#include "kernels/base/part.h"
#include "kernels/conv_call/conv_call.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(RunConvInPlace);

void parts::DepthwiseInPlace() {}

}  // namespace micrort
