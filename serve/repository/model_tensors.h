#pragma once
// The inputs and outputs that a model file declares.

#include "micrort/micrort.h"
#include "serve/protocol/tensor.h"

namespace micrort::serve {

std::vector<TensorSpec> InputsOf(const Model& model);
// With -1 where sizes depend on inputs.
std::vector<TensorSpec> OutputsOf(const Model& model);

}  // namespace micrort::serve
