#pragma once
// A convolution with everything decided: plain parameters that can be run without a model.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// How y may be written over x (kernels/conv_call/conv_in_place.h).
struct InPlacePlan {
  int workers = 0;          // by so many threads; 0: it may not
  int64_t stripe = 0;       // output rows at a time
  uint64_t part_bytes = 0;  // of a thread's scratch
};

// One image operation by one algorithm. Packed weights, tensors and scratch are arguments of the run.
struct ConvCall {
  Conv2DParams params;
  ConvTarget target;
  const Conv2DAlgorithm* algorithm;
  ConvPlan plan;  // of the algorithm
  InPlacePlan in_place;
};

// Out of place.
ConvCall MakeConvCall(const Conv2DParams& p, const ConvTarget& target, const Conv2DAlgorithm& algorithm);

// Whether y may be written over x. PlanInPlace decides how, by so many threads; InPlaceScratchBytes is what
// it then takes, and RunConvInPlace is RunConvCall for such tensors. Together a part (kernels/base/part.h).
bool MayRunInPlace(const ConvCall& call);
void PlanInPlace(int workers, ConvCall* call);
uint64_t InPlaceScratchBytes(const ConvCall& call);
void RunConvInPlace(const ConvCall& call, const ConvTensors& tensors, const Parallel& parallel);

// In place where tensors.x is tensors.y, which in_place has to allow.
void RunConvCall(const ConvCall& call, const ConvTensors& tensors, const Parallel& parallel);

}  // namespace micrort
