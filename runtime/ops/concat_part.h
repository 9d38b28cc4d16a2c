#pragma once
// Concat's inputs as parts of its output.

#include "kernels/copy/concat.h"
#include "runtime/ops/op.h"

namespace micrort {

// An input whose columns begin at `column` of the output.
ConcatPart PartOf(const Tensor& in, const Tensor& out, int axis, int64_t column);

}  // namespace micrort
