#pragma once
// Weights in 4 bits, with a scale for every group of them.

#include <optional>

#include "converter/ir/graph.h"
#include "converter/quantize/adjust_weights.h"
#include "converter/quantize/layer.h"

namespace micrort::quantize {

constexpr size_t kInt4Group = 32;

// Makes the weights of a layer int4. Returns why that was not done; "" if it was. `noise`, where moments are
// known, becomes that of its outputs over their signal.
std::string StoreAsInt4(ir::Graph* graph, ir::Node* node, const Layer& layer, const WeightCorrection& tools,
                        std::optional<double>* noise);

// How a layer whose weights have become int4 computes if it is to quantize its inputs as it runs.
schema::WeightCompute DynamicComputeOfInt4(const ir::Graph& graph, const ir::Node& node);

// The scale that gives n <= kInt4Group weights the least squared error in [-8, 7], and these integers.
float BestInt4Scale(const float* weights, size_t n, int8_t* quantized);

}  // namespace micrort::quantize
