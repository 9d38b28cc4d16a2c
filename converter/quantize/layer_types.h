#pragma once
// Which layers are to be something else than --quant says.

#include <map>
#include <string>
#include <vector>

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::quantize {

enum class LayerType { kFloat32, kFloat16, kInt8, kInt8Weights, kInt4Weights, kInt16x8 };
const char* LayerTypeName(LayerType type);  // "float32"

// Why a layer is not what --quant says: "float32, as asked".
std::string AsAsked(LayerType type);

using LayerTypes = std::map<std::string, LayerType>;  // by name of the node

// Whether a layer is to have int16 activations, which takes samples.
bool AsksForInt16(const LayerTypes& types);

// Names stand for nodes, or for the tensors that they write; the result has the nodes' names.
// kInvalidArgument if a name is neither, with those that look like it.
Status ResolveNames(const ir::Graph& graph, const LayerTypes& asked, LayerTypes* resolved);

}  // namespace micrort::quantize
