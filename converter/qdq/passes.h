#pragma once
// Passes that make int8 operators out of operators on floats between Dequantize and Quantize, as models that
// were quantized elsewhere have them. Each follows the contract of Pass::run.

#include "converter/passes/pass.h"

namespace micrort::qdq {

// uint8 becomes int8, 128 less, with a zero point of 128 less: the same numbers. At the graph's edges, where
// uint8 must stay, a table converts.
Status MakeBytesSigned(ir::Graph& graph, bool* changed);
// Operators that only move elements do it before Dequantize.
Status MoveBeforeDequantize(ir::Graph& graph, bool* changed);
// The same operators, behind one that computes, do it after Quantize.
Status MoveAfterQuantize(ir::Graph& graph, bool* changed);
// Quantize of Dequantize is nothing, or a table.
Status MergeConversions(ir::Graph& graph, bool* changed);
// Convolutions and matrix products of dequantized values.
Status MakeLayersInt8(ir::Graph& graph, bool* changed);
// Operators that compute element by element, pools, reductions and concatenations of dequantized values.
Status MakeOperatorsInt8(ir::Graph& graph, bool* changed);
// Integer operators round as TensorFlow Lite's reference kernels do, where these have them.
Status RoundAsTflite(ir::Graph& graph, bool* changed);
// Layers with float activations that the source rounds as it runs (TensorFlow Lite's hybrid ones) do not.
Status LeaveActivationsFloat(ir::Graph& graph, bool* changed);
// Weights that were given as int8, of layers that stay float, are stored as int8.
Status StoreWeightsAsGiven(ir::Graph& graph, bool* changed);

}  // namespace micrort::qdq
