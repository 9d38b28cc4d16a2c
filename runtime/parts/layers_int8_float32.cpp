#include "kernels/base/part.h"
#include "kernels/layer_s8/dynamic_input_s8.h"
#include "kernels/layer_s8/float_output_s8.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(MakeDynamicInput);
MICRORT_LINK(MakeFloatOutputS8);

void parts::LayersInt8Float32() {}

}  // namespace micrort
