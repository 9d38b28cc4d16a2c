#include "converter/frontend/onnx/keep_outputs.h"

#include <set>

#include "converter/frontend/common/fetches.h"

namespace micrort::frontend::onnx {

namespace {

// All names that a node of the graph, an input or an initializer defines.
std::set<std::string> DefinedNames(const ::onnx::GraphProto& graph) {
  std::set<std::string> names;
  for (const auto& input : graph.input()) names.insert(input.name());
  for (const auto& initializer : graph.initializer()) names.insert(initializer.name());
  for (const auto& node : graph.node()) names.insert(node.output().begin(), node.output().end());
  names.erase("");
  return names;
}

void ReplaceOutputs(const std::vector<std::string>& names, ::onnx::GraphProto* graph) {
  ::google::protobuf::RepeatedPtrField<::onnx::ValueInfoProto> old;
  old.Swap(graph->mutable_output());
  for (const std::string& name : names) {
    ::onnx::ValueInfoProto* output = graph->add_output();
    output->set_name(name);
    for (const auto& info : old) {
      if (info.name() == name) *output = info;
    }
  }
}

// What the node reads, in the graphs inside its attributes too.
void AddReads(const ::onnx::NodeProto& node, std::vector<std::string>* names) {
  names->insert(names->end(), node.input().begin(), node.input().end());
  for (const auto& attribute : node.attribute()) {
    for (const auto& inner : attribute.g().node()) AddReads(inner, names);
    for (const auto& output : attribute.g().output()) names->push_back(output.name());
  }
}

void DropUnneededNodes(const std::vector<std::string>& outputs, ::onnx::GraphProto* graph) {
  std::vector<NodeEdges> edges(static_cast<size_t>(graph->node_size()));
  for (size_t i = 0; i < edges.size(); ++i) {
    const auto& node = graph->node(static_cast<int>(i));
    AddReads(node, &edges[i].reads);
    edges[i].writes.assign(node.output().begin(), node.output().end());
  }
  const std::vector<bool> is_needed = NeededNodes(edges, outputs);
  ::google::protobuf::RepeatedPtrField<::onnx::NodeProto> nodes;
  nodes.Swap(graph->mutable_node());
  for (int i = 0; i < nodes.size(); ++i) {
    if (is_needed[static_cast<size_t>(i)]) graph->add_node()->Swap(&nodes[i]);
  }
}

}  // namespace

Status KeepOutputs(const std::vector<std::string>& names, ::onnx::GraphProto* graph) {
  if (names.empty()) return Status();
  MICRORT_RETURN_IF_ERROR(CheckFetches(names, DefinedNames(*graph)));
  ReplaceOutputs(names, graph);
  DropUnneededNodes(names, graph);
  return Status();
}

}  // namespace micrort::frontend::onnx
