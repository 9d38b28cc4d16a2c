#pragma once

#include "converter/frontend/torchscript/op_context.h"

namespace micrort::frontend::torchscript {

// After OpContext::TakeAsVectors: vectors of one element in the result lose their dimension.
void ReturnWithoutDims(OpContext& c);

}  // namespace micrort::frontend::torchscript
