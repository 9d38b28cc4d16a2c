#include "kernels/base/part.h"
#include "micrort/op_resolver.h"
#include "runtime/model/verify_steps.h"

namespace micrort {

MICRORT_LINK(VerifyCaches);

void parts::Caches() {}

}  // namespace micrort
