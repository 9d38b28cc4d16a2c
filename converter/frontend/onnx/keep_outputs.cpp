#include "converter/frontend/onnx/keep_outputs.h"

#include <set>

namespace micrort::frontend {

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
void AddInputs(const ::onnx::NodeProto& node, std::set<std::string>* names) {
  names->insert(node.input().begin(), node.input().end());
  for (const auto& attribute : node.attribute()) {
    for (const auto& inner : attribute.g().node()) AddInputs(inner, names);
    for (const auto& output : attribute.g().output()) names->insert(output.name());
  }
}

// Nodes are in an order in which they can run, so one walk from the end finds all that is needed.
void DropUnneededNodes(::onnx::GraphProto* graph) {
  std::set<std::string> needed;
  for (const auto& output : graph->output()) needed.insert(output.name());
  std::set<int> kept;
  for (int i = graph->node_size() - 1; i >= 0; --i) {
    const auto& node = graph->node(i);
    bool is_needed = false;
    for (const std::string& name : node.output()) is_needed |= !name.empty() && needed.count(name) != 0;
    if (!is_needed) continue;
    kept.insert(i);
    AddInputs(node, &needed);
  }
  ::google::protobuf::RepeatedPtrField<::onnx::NodeProto> nodes;
  nodes.Swap(graph->mutable_node());
  for (const int i : kept) graph->add_node()->Swap(&nodes[i]);
}

}  // namespace

Status KeepOutputs(const std::vector<std::string>& names, ::onnx::GraphProto* graph) {
  if (names.empty()) return Status();
  const std::set<std::string> defined = DefinedNames(*graph);
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (defined.count(name) == 0) {
      return MICRORT_ERROR(kInvalidArgument, "--fetches: the model has no tensor '%s'", name.c_str());
    }
    if (!seen.insert(name).second) {
      return MICRORT_ERROR(kInvalidArgument, "--fetches: '%s' is given twice", name.c_str());
    }
  }
  ReplaceOutputs(names, graph);
  DropUnneededNodes(graph);
  return Status();
}

}  // namespace micrort::frontend
