#pragma once
// Operators of two tensors that are one operator of the file.

#include "converter/frontend/tensorflow/op_context.h"

namespace micrort::frontend::tensorflow {

template <schema::BinaryKind kind>
Status ImportBinary(OpContext& c) {
  return c.Return(c.build.Binary(kind, c.input(0), c.input(1)));
}

}  // namespace micrort::frontend::tensorflow
