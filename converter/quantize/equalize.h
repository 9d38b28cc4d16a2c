#pragma once

#include <map>
#include <string>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::quantize {

// By name of the value: along the last dimension, it holds so many times what it held.
using ChannelScales = std::map<std::string, std::vector<float>>;

// Between two layers, where only a function f(s * x) = s * f(x) (ReLU, or nothing) lies: each channel of the
// value between them is scaled so that the weights that write it and those that read it have one largest
// size. The model computes the same, and one scale fits all channels better (Nagel et al., "Data-Free
// Quantization Through Weight Equalization and Bias Correction", ICCV 2019). Returns the number of pairs of
// layers.
ChannelScales EqualizeLayers(ir::Graph* graph);

}  // namespace micrort::quantize
