#pragma once

#include "converter/ir/graph.h"

namespace micrort::qdq {

// Layers that compute on int8 inputs. Before quantization these are those that came so.
int CountInt8Layers(const ir::Graph& graph);

}  // namespace micrort::qdq
