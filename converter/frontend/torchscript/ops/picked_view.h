#pragma once
// Views of elements that lie anywhere in a tensor.

#include <functional>

#include "converter/frontend/torchscript/op_context.h"

namespace micrort::frontend::torchscript {

// Returns what `pick` takes from x as a view of argument 0. To learn where those elements lie, this function
// lets `pick` take them from a tensor that holds its own positions. If the size of x is not fixed, the view
// cannot be written to.
void ReturnPicked(OpContext& c, ir::ValueId x, const std::function<ir::ValueId(ir::ValueId)>& pick);

}  // namespace micrort::frontend::torchscript
