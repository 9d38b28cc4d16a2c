#pragma once
// A slice that replaces a part of a tensor.

#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

// Returns input 0 with input 1 in it, from `starts` on: int64, one a dimension of input 0. The update is
// moved so that it lies within.
Status UpdateSlice(OpContext& c, ir::ValueId starts);

}  // namespace micrort::frontend::tflite
