#pragma once
// Weights of quantized layers, packed with their parameters by PyTorch (linear_prepack, conv2d_prepack).

#include "converter/frontend/torchscript/op_context.h"

namespace micrort::frontend::torchscript {

struct PackedWeights {
  Value weight, bias;  // bias: None where there is none
  // Of a convolution: one a spatial dimension.
  std::vector<int64_t> stride, padding, dilation;
  int64_t groups = 1;
};

Value Pack(const PackedWeights& packed);

// Of an object that Pack made, or that the archive holds; false, with the error of the call, for anything
// else.
bool Unpack(OpContext& c, const Value& object, PackedWeights* out);

// The integers of a quantized constant as floats.
ir::ValueId DequantizedWeight(OpContext& c, const Value& weight);

}  // namespace micrort::frontend::torchscript
