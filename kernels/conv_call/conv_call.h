#pragma once
// A convolution with everything decided: plain parameters that can be run without a model.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// One image operation by one algorithm. Packed weights, tensors and scratch are arguments of the run.
struct ConvCall {
  Conv2DParams params;
  ConvTarget target;
  const Conv2DAlgorithm* algorithm;
  int in_place_workers = 0;  // by how many threads y may be written over x; 0: it may not
};

// Whether y may be written over x (conv_in_place.h), and the scratch that this takes with in_place_workers.
bool MayRunInPlace(const ConvCall& call);
uint64_t InPlaceScratchBytes(const ConvCall& call);

// In place where tensors.x is tensors.y, which in_place_workers has to allow.
void RunConvCall(const ConvCall& call, const ConvTensors& tensors, const Parallel& parallel);

}  // namespace micrort
