#pragma once
// Operators that are one operator of the file, and activations that Grappler fuses into others.

#include <string>

#include "converter/frontend/tensorflow/op_context.h"

namespace micrort::frontend::tensorflow {

// kUnsupported if `op` is none.
Status Activate(OpContext& c, const std::string& op, ir::ValueId* y);

template <schema::BinaryKind kind>
Status ImportBinary(OpContext& c) {
  return c.Return(c.build.Binary(kind, c.input(0), c.input(1)));
}

}  // namespace micrort::frontend::tensorflow
