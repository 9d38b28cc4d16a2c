#include "micrort/op_resolver.h"

namespace micrort {

namespace {

OpResolver MakeAllOps() {
  OpResolver resolver;
  resolver.AddConv2D();
  resolver.AddDepthwiseConv2D();
  resolver.AddConvTranspose2D();
  resolver.AddMatMul();
  resolver.AddPool2D();
  resolver.AddUnary();
  resolver.AddBinary();
  resolver.AddReduce();
  resolver.AddSoftmax();
  resolver.AddTranspose();
  resolver.AddReshape();
  resolver.AddConcat();
  resolver.AddSlice();
  resolver.AddPad();
  resolver.AddGather();
  resolver.AddResize();
  resolver.AddCast();
  resolver.AddQuantize();
  resolver.AddDequantize();
  resolver.AddSelect();
  resolver.AddShape();
  resolver.AddExpand();
  resolver.AddTile();
  resolver.AddIf();
  resolver.AddLoop();
  resolver.AddGridSample();
  resolver.AddRoiAlign();
  resolver.AddRange();
  resolver.AddRandom();
  resolver.AddFourier();
  resolver.AddRecurrent();
  resolver.AddAttention();
  resolver.AddNormalize();
  resolver.AddGatherND();
  resolver.AddScatterND();
  resolver.AddGatherElements();
  resolver.AddScatterElements();
  resolver.AddTopK();
  resolver.AddCumulativeSum();
  resolver.AddNonZero();
  resolver.AddUnique();
  resolver.AddNonMaxSuppression();
  resolver.Add(ops::Custom());
  return resolver;
}

}  // namespace

const OpResolver& AllOps() {
  static const OpResolver resolver = MakeAllOps();
  return resolver;
}

}  // namespace micrort
