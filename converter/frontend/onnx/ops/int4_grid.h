#pragma once
// The grid of weights that the source stores in 4 bits or fewer: its scales and zero points, one a group. The
// converter keeps it beside the floats, so that quantization need not find it again.

#include <cstdint>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::frontend::onnx {

// Scales and zero points of group 0 of slice 0, group 1 of slice 0 ... along `axis`, of int4 in two's
// complement. Scales of the file are positive: a negative one turns its integers around, to -1 less them.
ir::Quantization Int4Grid(int axis, int64_t group, std::vector<float> scales,
                          std::vector<int32_t> zero_points);

}  // namespace micrort::frontend::onnx
