#pragma once
// What normalizations are made of.

#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

struct Normalized {
  ir::ValueId y;
  ir::ValueId mean = ir::kNoValue;  // absent where none is subtracted
  ir::ValueId deviation;            // with the axes kept, as 1
};

// sqrt(variance + epsilon)
ir::ValueId Deviation(NodeContext& c, ir::ValueId variance, float epsilon);

// (x - mean) / sqrt(variance + epsilon), over the axes.
Normalized Normalize(NodeContext& c, ir::ValueId x, const std::vector<int32_t>& axes, float epsilon);
// x / sqrt(mean of x^2 + epsilon)
Normalized NormalizeByMeanSquare(NodeContext& c, ir::ValueId x, const std::vector<int32_t>& axes,
                                 float epsilon);

// x * scale + shift; either may be absent.
ir::ValueId Affine(NodeContext& c, ir::ValueId x, ir::ValueId scale, ir::ValueId shift);

}  // namespace micrort::frontend::onnx
