#include "micrort/op_resolver.h"

namespace micrort {

namespace {

OpResolver MakeAllOps() {
  OpResolver resolver;
  resolver.AddConv2D();
  resolver.AddMatMul();
  resolver.AddTranspose();
  resolver.AddReshape();
  resolver.AddConcat();
  resolver.AddSlice();
  resolver.AddPad();
  resolver.AddGather();
  resolver.AddShape();
  resolver.AddExpand();
  resolver.AddTile();
  resolver.AddConv2D().AddDepthwiseConv2D().AddMatMul();
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
