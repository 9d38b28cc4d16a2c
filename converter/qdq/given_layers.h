#pragma once

#include "converter/ir/graph.h"

namespace micrort::qdq {

// Layers that compute on int8 inputs. Before quantization these are those that came so.
int CountInt8Layers(const ir::Graph& graph);

// Whether a layer's weights come with zero points, as those of uint8 models do.
bool HasAsymmetricWeights(const ir::Graph& graph);

}  // namespace micrort::qdq
