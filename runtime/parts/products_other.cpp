#include "kernels/base/part.h"
#include "kernels/gemm/plain_product.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(RunPlainProduct);

void parts::ProductsOther() {}

}  // namespace micrort
