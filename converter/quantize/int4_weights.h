#pragma once
// Weights in 4 bits, with a scale for every group of them.

#include "converter/ir/graph.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/repair.h"

namespace micrort::quantize {

constexpr int kInt4Group = 32;

// Makes the weights of a layer int4. Returns why that was not done; "" if it was.
std::string StoreAsInt4(ir::Graph* graph, ir::Node* node, const Layer& layer, const Repair& repair);

// The scale that gives n weights the least squared error in [-8, 7], and these integers.
float BestInt4Scale(const float* weights, size_t n, int8_t* quantized);

}  // namespace micrort::quantize
