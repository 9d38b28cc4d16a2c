#pragma once
// Views of elements that lie anywhere in a tensor.

#include <functional>

#include "converter/frontend/torchscript/op_context.h"

namespace micrort::frontend::torchscript {

// What `pick` takes from x, as a view of argument 0. It says where the elements lie by what it takes from a
// tensor of positions. Without a fixed size it cannot be written to.
void ReturnPicked(OpContext& c, ir::ValueId x, const std::function<ir::ValueId(ir::ValueId)>& pick);

}  // namespace micrort::frontend::torchscript
