#pragma once
// Linear quantization as ONNX's operators state it: real = (q - zero_point) * scale.

#include <cstdint>
#include <vector>

#include "converter/frontend/onnx/node_context.h"
#include "converter/ir/graph.h"

namespace micrort::frontend::onnx {

struct LinearParams {
  ir::ValueId scale = ir::kNoValue;
  ir::ValueId zero_point = ir::kNoValue;  // kNoValue: 0
  int64_t axis = 1;                       // of the tensor; counts where there is more than one scale
  int64_t block_size = 0;                 // so many elements along the axis share a scale; 0: no blocks
};

// The range of a quantized type, or of the four bits that are stored in it.
struct IntegerRange {
  float lowest, highest;
};

// The floats that integers stand for, in the scale's type. Constants become constants that remember their
// grid; bytes with constant parameters are read by Dequantize; everything else is computed step by step.
Result<ir::ValueId> Dequantized(NodeContext& c, ir::ValueId x, const LinearParams& params);

// Rounded half to even and saturated to `to`: one Quantize where that can do it, else step by step.
// `four_bit`: saturated to int4 or uint4.
Result<ir::ValueId> Quantized(NodeContext& c, ir::ValueId x, const LinearParams& params, DType to,
                              bool four_bit);

// uint8 whose scale and zero point are found from the range of x as the model runs.
struct DynamicallyQuantized {
  ir::ValueId y = ir::kNoValue, scale = ir::kNoValue, zero_point = ir::kNoValue;
};
Status QuantizeDynamically(NodeContext& c, ir::ValueId x, DynamicallyQuantized* out);

// Whether the importer of this operator works on values with a quantization. Others see the bare integers.
bool UnderstandsQuantization(const std::string& op);

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
