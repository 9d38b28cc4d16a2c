#pragma once
// Parts of complex tensors that are views, which change what they are a part of.

#include "converter/frontend/torchscript/value.h"

namespace micrort::frontend::torchscript {

// A complex tensor, with its last dimension of 2, of its real and imaginary parts, and these.
ir::ValueId JoinParts(ir::Builder& build, ir::ValueId real, ir::ValueId imaginary);
ir::ValueId PartOf(ir::Builder& build, ir::ValueId joined, bool imaginary);

// Where `real` and `imaginary` are views of the parts of `self`, `joined` becomes one of `self`.
void MakeComplexView(const Value& self, const Tensor& real, const Tensor& imaginary, Tensor* joined);

}  // namespace micrort::frontend::torchscript
