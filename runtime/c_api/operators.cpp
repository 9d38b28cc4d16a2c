// An object of its own: it refers to all operators for all types, and so to every part of the kernels
// (kernels/base/part.h).

#include "micrort/micrort_c.h"
#include "micrort/op_resolver.h"

extern "C" {

#define MICRORT_DEFINE_OP(name)                                                  \
  const micrort_registration* micrort_op_##name(void) {                          \
    micrort::PartsOf<micrort::ops::name>::Link(micrort::kAllTypes);              \
    return reinterpret_cast<const micrort_registration*>(&micrort::ops::name()); \
  }
MICRORT_OPERATORS(MICRORT_DEFINE_OP)
#undef MICRORT_DEFINE_OP

}  // extern "C"
