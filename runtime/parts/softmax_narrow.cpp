#include "kernels/base/part.h"
#include "kernels/elementwise/softmax.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(SoftmaxNarrow);

void parts::SoftmaxNarrow() {}

}  // namespace micrort
