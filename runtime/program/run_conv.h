#pragma once
// Runs the typed calls of a program. Needs neither nodes nor operators.

#include "runtime/program/program.h"

namespace micrort {

// What a step works with beside its parameters.
struct CallMemory {
  const Tensor* tensors;      // view i has the data of tensor i
  const void* const* packed;  // weights, one a source node
  void* scratch;
};

// A step of kind kConv or kConvStripes.
void RunConvStep(const Program& program, const Step& step, const CallMemory& memory,
                 const Parallel& parallel);

}  // namespace micrort
