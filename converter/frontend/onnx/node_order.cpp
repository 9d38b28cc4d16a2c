#include "converter/frontend/onnx/node_order.h"

#include <algorithm>
#include <map>
#include <vector>

#include "tools/io/near_names.h"

namespace micrort::frontend::onnx {

namespace {

using ::onnx::NodeProto;
using Producers = std::map<std::string, const NodeProto*>;

constexpr size_t kNodesShown = 6;

Producers ProducersIn(const ::onnx::GraphProto& graph) {
  Producers producers;
  for (const NodeProto& node : graph.node()) {
    for (const std::string& output : node.output()) {
      if (!output.empty()) producers.emplace(output, &node);
    }
  }
  return producers;
}

std::string QuotedName(const NodeProto& node) {
  return "'" + (node.name().empty() && node.output_size() > 0 ? node.output(0) : node.name()) + "'";
}

// Nodes from `goal`, each of which the next one reads, to `start`, which reads the last one. Empty if there
// is no such path. Without recursion: graphs are deep.
std::vector<const NodeProto*> FindPath(const Producers& producers, const NodeProto* start,
                                       const NodeProto* goal) {
  std::map<const NodeProto*, const NodeProto*> reader = {{start, nullptr}};
  std::vector<const NodeProto*> next = {start};
  while (!next.empty() && reader.count(goal) == 0) {
    const NodeProto* node = next.back();
    next.pop_back();
    for (const std::string& input : node->input()) {
      const auto found = producers.find(input);
      if (found == producers.end() || !reader.emplace(found->second, node).second) continue;
      next.push_back(found->second);
    }
  }
  std::vector<const NodeProto*> path;
  if (reader.count(goal) == 0) return path;
  for (const NodeProto* node = goal; node != nullptr; node = reader.at(node)) path.push_back(node);
  return path;
}

std::vector<std::string> NamesIn(const ::onnx::GraphProto& graph, const Producers& producers) {
  std::vector<std::string> names;
  for (const auto& input : graph.input()) names.push_back(input.name());
  for (const auto& tensor : graph.initializer()) names.push_back(tensor.name());
  for (const auto& [name, node] : producers) names.push_back(name);
  return names;
}

}  // namespace

std::string WhyUndefined(const ::onnx::GraphProto& graph, const NodeProto& node, const std::string& name) {
  const Producers producers = ProducersIn(graph);
  const std::string input = "its input '" + name + "' ";
  const auto found = producers.find(name);
  if (found == producers.end()) {
    const std::string near = io::NearNames(name, NamesIn(graph, producers));
    return input + "is no input, initializer or output of a node" +
           (near.empty() ? "" : "; names like it: " + near);
  }
  const std::vector<const NodeProto*> path = FindPath(producers, found->second, &node);
  if (path.empty()) {
    return input + "is an output of the later node " + QuotedName(*found->second) +
           ": nodes must be listed in an order in which they can run";
  }
  std::string cycle;
  for (size_t i = 0; i < std::min(path.size(), kNodesShown); ++i) cycle += QuotedName(*path[i]) + ", ";
  if (path.size() > kNodesShown) cycle += "... (" + std::to_string(path.size()) + " nodes), ";
  return input + "depends on the node's own output: the nodes " + cycle + "and " + QuotedName(*path[0]) +
         " again make a cycle";
}

}  // namespace micrort::frontend::onnx
