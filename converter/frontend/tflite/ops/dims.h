#pragma once
// Single dimensions of a value.

#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

// x with a dimension of size 1 before dimension `axis`; axis may be the rank.
ir::ValueId InsertDim(OpContext& c, ir::ValueId x, int axis);
// x without the dimension, which has size 1.
ir::ValueId DropDim(OpContext& c, ir::ValueId x, int axis);
// x without these dimensions, sorted.
ir::ValueId DropDims(OpContext& c, ir::ValueId x, const std::vector<int32_t>& axes);
// Size of a dimension as int64 [1].
ir::ValueId DimOf(OpContext& c, ir::ValueId x, int axis);

}  // namespace micrort::frontend::tflite
