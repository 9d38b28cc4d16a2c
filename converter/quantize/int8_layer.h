#pragma once

#include <vector>

#include "converter/ir/graph.h"
#include "converter/observe/moments.h"
#include "converter/quantize/ptq_correction.h"
#include "converter/quantize/stored_weights.h"

namespace micrort::quantize {

// What is known of a layer's input.
struct LayerInput {
  float scale;
  const std::vector<double>* means;                // of its channels in float; null: unknown
  const observe::InputMoments* moments = nullptr;  // null: unknown
  DType bias = DType::kInt32;                      // or int64
};

// Replaces weights and bias of a layer by int8 a channel and integers at input.scale * scale of the channel.
// A channel whose bias would be too large an integer gets a larger scale. Takes what `stored` has of the
// graph's weights, and adds to it.
void QuantizeLayerConstants(ir::Graph* graph, ir::Node* node, const LayerInput& input,
                            const PtqCorrection& correction, StoredWeights* stored);

// A float32 constant as int8 with one scale, round half to even.
ir::Value QuantizeConstant(const ir::Value& constant, const ir::Quantization& quantization);

}  // namespace micrort::quantize
