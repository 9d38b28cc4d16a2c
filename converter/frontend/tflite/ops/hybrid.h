#pragma once
// Hybrid layers: float activations, weights of 8 bits. TFLite quantizes each row of activations as it runs.

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

}  // namespace micrort::frontend::tflite
