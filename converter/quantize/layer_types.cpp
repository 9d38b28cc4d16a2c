#include "converter/quantize/layer_types.h"

#include <algorithm>

namespace micrort::quantize {
namespace {

constexpr size_t kNearestNames = 5;

// Insertions, deletions and changes of single characters that turn one text into the other.
size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

// A part of the name is near, too: people leave out what exporters put before and behind.
size_t Distance(const std::string& asked, const std::string& name) {
  const bool is_part = !asked.empty() && name.find(asked) != std::string::npos;
  return is_part ? 0 : EditDistance(asked, name);
}

// The graph and the bodies of its nodes.
template <typename F>
void ForEachGraph(const ir::Graph& graph, const F& visit) {
  visit(graph);
  for (const auto& body : ir::BodiesIn(graph)) visit(*body);
}

std::string NearNames(const ir::Graph& graph, const std::string& asked) {
  std::vector<std::pair<size_t, std::string>> names;
  ForEachGraph(graph, [&](const ir::Graph& part) {
    for (const auto& node : part.nodes) names.emplace_back(Distance(asked, node->name), node->name);
  });
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kNearestNames); ++i)
    text += (i == 0 ? "'" : ", '") + names[i].second + "'";
  return text;
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
  }
  return "";
}

std::string AsAsked(LayerType type) { return std::string(LayerTypeName(type)) + ", as asked"; }

Status ResolveNames(const ir::Graph& graph, const LayerTypes& asked, LayerTypes* resolved) {
  for (const auto& [name, type] : asked) {
    const ir::Node* node = FindNode(graph, name);
    if (node == nullptr) {
      return MICRORT_ERROR(kInvalidArgument,
                           "--keep-float, --layer-types: no layer is named '%s' (batch normalizations and "
                           "activations belong to the layer before them); names like it: %s",
                           name.c_str(), NearNames(graph, name).c_str());
    }
    (*resolved)[node->name] = type;
  }
  return Status();
}

}  // namespace micrort::quantize
