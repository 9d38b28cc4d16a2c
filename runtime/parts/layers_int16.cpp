#include "kernels/base/part.h"
#include "kernels/layer_s16/direct_s16.h"
#include "kernels/layer_s16/product_s16.h"
#include "micrort/op_resolver.h"

namespace micrort {

#if !defined(MICRORT_NO_INT16)
MICRORT_LINK(kDirectS16);
MICRORT_LINK(RunProductS16);
#endif

void parts::LayersInt16() {}

}  // namespace micrort
