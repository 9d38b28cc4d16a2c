#pragma once

#include "converter/frontend/onnx/ops/quantization.h"

namespace micrort::frontend::onnx {

// Weights as the float32 constant that they stand for, however large. False, and nothing is done, unless
// everything is constant; the parameters have been checked, `axis` is theirs counted from 0.
bool DequantizeConstant(NodeContext& c, ir::ValueId x, const LinearParams& params, int axis,
                        ir::ValueId* out);

}  // namespace micrort::frontend::onnx
