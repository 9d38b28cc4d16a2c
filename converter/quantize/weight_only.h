#pragma once
// Quantization that needs no samples: only constants change.

#include "converter/ir/graph.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/quant_report.h"

namespace micrort::quantize {

// All of these reach into bodies of If and Loop.
//
// Weights of layers as float16; computed in float.
void StoreWeightsAsHalf(ir::Graph* entry, Report* report);

// Weights of one layer as int8 per output channel. Returns why that was not done; "" if it was.
std::string StoreLayerAsInt8(ir::Graph* graph, ir::Node* node, const Layer& layer);

// Weights of layers as int8 per output channel; computed in float.
void StoreWeightsAsInt8(ir::Graph* entry, Report* report);

// The same, but layers that gain from it quantize their input as they run and compute in int8.
void QuantizeDynamically(ir::Graph* entry, Report* report);

}  // namespace micrort::quantize
