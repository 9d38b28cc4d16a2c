#include "converter/quantize/layer_types.h"

#include <algorithm>

#include "tools/io/near_names.h"

namespace micrort::quantize {
namespace {

// The graph and the bodies of its nodes.
template <typename F>
void ForEachGraph(const ir::Graph& graph, const F& visit) {
  visit(graph);
  for (const auto& body : ir::BodiesIn(graph)) visit(*body);
}

std::string LayersLike(const ir::Graph& graph, const std::string& asked) {
  std::vector<std::string> names;
  ForEachGraph(graph, [&](const ir::Graph& part) {
    for (const auto& node : part.nodes) names.push_back(node->name);
  });
  return io::NearNames(asked, std::move(names));
}

bool Writes(const ir::Graph& graph, const ir::Node& node, const std::string& name) {
  return std::any_of(node.outputs.begin(), node.outputs.end(),
                     [&](ir::ValueId id) { return graph.value(id).name == name; });
}

// Null if there is none. A node's own name goes before that of an output.
const ir::Node* FindNode(const ir::Graph& graph, const std::string& name) {
  const ir::Node *by_name = nullptr, *by_output = nullptr;
  ForEachGraph(graph, [&](const ir::Graph& part) {
    for (const auto& node : part.nodes) {
      if (by_name == nullptr && node->name == name) by_name = node.get();
      if (by_output == nullptr && Writes(part, *node, name)) by_output = node.get();
    }
  });
  return by_name != nullptr ? by_name : by_output;
}

}  // namespace

const char* LayerTypeName(LayerType type) {
  switch (type) {
    case LayerType::kFloat32:
      return "float32";
    case LayerType::kFloat16:
      return "fp16";
    case LayerType::kInt8:
      return "int8";
    case LayerType::kInt8Weights:
      return "int8-weights";
    case LayerType::kInt4Weights:
      return "int4-weights";
    case LayerType::kInt16x8:
      return "int16x8";
  }
  return "";
}

bool AsksForInt16(const LayerTypes& types) {
  return std::any_of(types.begin(), types.end(),
                     [](const auto& entry) { return entry.second == LayerType::kInt16x8; });
}

std::string AsAsked(LayerType type) { return std::string(LayerTypeName(type)) + ", as asked"; }

Status ResolveNames(const ir::Graph& graph, const LayerTypes& asked, LayerTypes* resolved) {
  for (const auto& [name, type] : asked) {
    const ir::Node* node = FindNode(graph, name);
    if (node == nullptr) {
      return MICRORT_ERROR(kInvalidArgument,
                           "--keep-float, --layer-types: no layer is named '%s' (batch normalizations and "
                           "activations belong to the layer before them); names like it: %s",
                           name.c_str(), LayersLike(graph, name).c_str());
    }
    (*resolved)[node->name] = type;
  }
  return Status();
}

}  // namespace micrort::quantize
