#include "kernels/base/part.h"
#include "kernels/elementwise/unary_f32.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(UnaryF32Library);

void parts::UnaryFloat32() {}

}  // namespace micrort
