#pragma once
// What convolutions and transposed convolutions share.

#include "converter/frontend/onnx/ops/image.h"

namespace micrort::frontend::onnx {

// The sizes of ONNX weights [O, C/groups, K...] of a convolution or [C, O/groups, K...] of a transposed one.
struct ConvWeights {
  int64_t first = 0;
  int64_t second = 0;
  std::vector<int64_t> kernel;
};

// kInvalidModel unless input 1 has the rank of input 0, which is checked; kUnsupported if its shape is not
// fixed.
Status ReadWeights(const NodeContext& c, ConvWeights* out);

// Groups must divide both channel counts.
Status ReadGroups(NodeContext& c, int64_t outputs, int64_t in_channels, int32_t* groups);

// [O,I,K] → [O,I,1,K]; others stay.
ir::ValueId LiftKernel(NodeContext& c, ir::ValueId w);

}  // namespace micrort::frontend::onnx
