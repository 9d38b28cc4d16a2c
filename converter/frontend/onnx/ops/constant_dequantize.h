#pragma once

#include <cstdint>
#include <vector>

#include "converter/frontend/onnx/ops/quantization.h"
#include "converter/ir/graph.h"

namespace micrort::frontend::onnx {

// Weights as the float32 constant that they stand for, however large. False, and nothing is done, unless
// everything is constant; the parameters have been checked, `axis` is theirs counted from 0.
bool DequantizeConstant(NodeContext& c, ir::ValueId x, const LinearParams& params, int axis,
                        ir::ValueId* out);

// The grid of weights that the source stores in 4 bits or fewer: its scales and zero points, one a group. The
// converter keeps it beside the floats, so that quantization need not find it again.

// Scales and zero points of group 0 of slice 0, group 1 of slice 0 ... along `axis`, of int4 in two's
// complement. Scales of the file are positive: a negative one turns its integers around, to -1 less them.
ir::Quantization Int4Grid(int axis, int64_t group, std::vector<float> scales,
                          std::vector<int32_t> zero_points);

}  // namespace micrort::frontend::onnx
