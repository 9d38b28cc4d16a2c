#pragma once
// Activations that Grappler fuses into convolutions and matrix products.

#include <string>

#include "converter/frontend/tensorflow/op_context.h"

namespace micrort::frontend::tensorflow {

// kUnsupported if `op` is none.
Status Activate(OpContext& c, const std::string& op, ir::ValueId* y);

}  // namespace micrort::frontend::tensorflow
