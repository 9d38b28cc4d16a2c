#pragma once
// Weights and biases of layers. Hybrid layers have float activations and weights of 8 bits; TFLite quantizes
// each row of activations as it runs.

#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

// How a layer with activations `x` and weights `weights` (inputs of the operator) computes: Float unless it
// is hybrid. `asymmetric`: rows get zero points.
schema::WeightCompute HybridCompute(const OpContext& c, size_t x, size_t weights, bool asymmetric);
// The same of a convolution, whose items get zero points where filters have scales of their own.
schema::WeightCompute HybridConvCompute(const OpContext& c, size_t x, size_t weights);

// The weights as real numbers. Where a hybrid layer's are called uint8, as files of TFLite 1 do, they are
// int8.
ir::ValueId LayerWeights(OpContext& c, size_t x, size_t weights);

// Input i as the real numbers that a layer adds; kNoValue if it is absent. Sums of products without a
// quantization of their own have the scales of the layer's input times those of its weights.
Result<ir::ValueId> ReadBias(OpContext& c, size_t i, size_t x, size_t weights);

}  // namespace micrort::frontend::tflite
