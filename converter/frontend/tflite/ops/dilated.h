#pragma once
// Space between elements.

#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

// x with dilations - 1 times the scalar `fill` between neighbours, dimension by dimension.
Status Dilated(OpContext& c, ir::ValueId x, const std::vector<int64_t>& dilations, ir::ValueId fill,
               ir::ValueId* y);

}  // namespace micrort::frontend::tflite
