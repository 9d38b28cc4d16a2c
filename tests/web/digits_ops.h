#pragma once
// Written by mnnconvert --emit resolver: the operators of digits.fb, and no others.

#include <micrort/op_resolver.h>

inline micrort::OpResolver ModelOps() {
  return micrort::OpResolver()
      .AddConv2D(micrort::kPlainFloat32)
      .AddDepthwiseConv2D(micrort::kPlainFloat32)
      .AddMatMul(micrort::kPlainFloat32)
      .AddPool2D(micrort::kFloat32)
      .AddSoftmax(micrort::kFloat32)
      .AddReshape();
}
