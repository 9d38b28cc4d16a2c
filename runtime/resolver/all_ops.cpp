#include "micrort/op_resolver.h"

namespace micrort {

namespace {

OpResolver MakeAllOps() {
  OpResolver resolver;
  resolver.AddConv2D().AddMatMul();
  return resolver;
}

}  // namespace

const OpResolver& AllOps() {
  static const OpResolver resolver = MakeAllOps();
  return resolver;
}

}  // namespace micrort
