#pragma once
// An element-wise call as functions of floats.

#include "runtime/program/program.h"

namespace micrort {

// y = after(function(a, b)); `after` is the identity where there is none.
struct FusedCall {
  FusedNode function;  // without its values
  UnaryOp after;
  ElementFormat inputs[2];
  ElementFormat output;

  size_t input_count() const { return function.is_binary ? 2 : 1; }
};

// False where the step's call is none that may run with others, or is of formats that may not.
bool DescribeFusedCall(const Step& step, FusedCall* call);

}  // namespace micrort
