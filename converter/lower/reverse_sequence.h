#pragma once

#include "converter/ir/build.h"

namespace micrort::lower {

// x with the first lengths[i] elements of sequence i of the batch in reverse order. lengths: one a sequence,
// of any type of integers. The axes are different ones of x. It is ReverseSequence of ONNX, along any axes.
ir::ValueId ReverseSequence(ir::Builder& build, ir::ValueId x, ir::ValueId lengths, int time, int batch);

}  // namespace micrort::lower
