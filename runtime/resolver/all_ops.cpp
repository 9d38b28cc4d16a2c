#include "micrort/op_resolver.h"

namespace micrort {

namespace {

OpResolver MakeAllOps() {
  OpResolver resolver;
  resolver.AddConv2D().AddMatMul();
  resolver.AddTranspose().AddReshape().AddConcat().AddSlice().AddPad().AddGather();
  resolver.AddShape().AddExpand().AddTile();
  return resolver;
}

}  // namespace

const OpResolver& AllOps() {
  static const OpResolver resolver = MakeAllOps();
  return resolver;
}

}  // namespace micrort
