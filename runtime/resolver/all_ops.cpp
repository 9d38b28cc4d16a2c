#include "micrort/op_resolver.h"

namespace micrort {

namespace {

OpResolver MakeAllOps() {
  OpResolver resolver;
#define MICRORT_ADD(name) resolver.Add##name();
  MICRORT_OPERATORS(MICRORT_ADD)
#undef MICRORT_ADD
  resolver.Add(ops::Custom());
  return resolver;
}

}  // namespace

const OpResolver& AllOps() {
  static const OpResolver resolver = MakeAllOps();
  return resolver;
}

}  // namespace micrort
