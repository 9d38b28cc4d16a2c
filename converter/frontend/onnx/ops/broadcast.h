#pragma once
// Operators on two tensors, and how they broadcast.

#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

// Reads the attributes `broadcast` and `axis` of opsets up to 6 and gives input 1 the trailing dimensions of
// size 1 with which it broadcasts as in NumPy; later opsets broadcast so by themselves.
Result<ir::ValueId> AlignSecondInput(NodeContext& c);

// a0 op a1 op a2 ...; of one input, that input.
ir::ValueId Chain(NodeContext& c, schema::BinaryKind kind);

template <schema::BinaryKind kind>
Status ImportBinary(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId b, AlignSecondInput(c));
  return c.Return(c.build.Binary(kind, c.input(0), b));
}

}  // namespace micrort::frontend::onnx
