#pragma once
// Written by mnnconvert --emit resolver: the operators of digits.fb digits_int8.fb, and no others.

#include <micrort/op_resolver.h>

inline micrort::OpResolver ModelOps() {
  return micrort::OpResolver()
      .AddConv2D(micrort::kFloat32 | micrort::kInt8)
      .AddDepthwiseConv2D(micrort::kFloat32 | micrort::kInt8)
      .AddMatMul(micrort::kFloat32 | micrort::kInt8Float32)
      .AddPool2D(micrort::kFloat32 | micrort::kInt8)
      .AddSoftmax(micrort::kFloat32)
      .AddReshape()
      .AddQuantize();
}
