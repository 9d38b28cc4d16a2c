#include "converter/frontend/tensorflow/node_graph.h"

#include "converter/frontend/tensorflow/graph_importer.h"

namespace micrort::frontend::tensorflow {

NodeGraph::NodeGraph(NodeList* nodes) {
  for (::tensorflow::NodeDef& node : *nodes) {
    all_.push_back(&node);
    nodes_.emplace(node.name(), &node);
  }
  for (::tensorflow::NodeDef* node : all_) AddReader(node);
}

void NodeGraph::Add(::tensorflow::NodeDef* node) {
  all_.push_back(node);
  nodes_.emplace(node->name(), node);
  AddReader(node);
}

void NodeGraph::AddReader(::tensorflow::NodeDef* node) {
  for (const std::string& input : node->input()) {
    const ::tensorflow::NodeDef* source = Source(input);
    if (source == nullptr) continue;
    // Once, however many of its inputs come from there.
    std::vector<::tensorflow::NodeDef*>& readers = readers_[source->name()];
    if (readers.empty() || readers.back() != node) readers.push_back(node);
  }
}

::tensorflow::NodeDef* NodeGraph::Find(const std::string& name) const {
  const auto found = nodes_.find(name);
  return found == nodes_.end() ? nullptr : found->second;
}

::tensorflow::NodeDef* NodeGraph::Source(const std::string& tensor) const {
  Result<TensorRef> ref = ParseTensorRef(tensor);
  if (!ref.ok() || ref->is_control) return nullptr;
  return Find(ref->node);
}

const std::vector<::tensorflow::NodeDef*>& NodeGraph::readers(const std::string& name) const {
  static const std::vector<::tensorflow::NodeDef*> none;
  const auto found = readers_.find(name);
  return found == readers_.end() ? none : found->second;
}

std::string NodeGraph::Unused(const std::string& name) const {
  std::string unused = name;
  for (int i = 1; nodes_.count(unused) != 0; ++i) unused = name + "_" + std::to_string(i);
  return unused;
}

std::string TensorKey(const std::string& tensor) {
  const size_t n = tensor.size();
  return n > 2 && tensor.compare(n - 2, 2, ":0") == 0 ? tensor.substr(0, n - 2) : tensor;
}

FunctionBuilder::FunctionBuilder(const NodeGraph& graph, std::string name) : graph_(graph) {
  function_.mutable_signature()->set_name(std::move(name));
}

std::string FunctionBuilder::Inside(const std::string& tensor) {
  const auto argument = arguments_.find(TensorKey(tensor));
  return argument == arguments_.end() ? tensor : argument->second;
}

void FunctionBuilder::AddResult(const std::string& tensor) {
  std::vector<std::string> open = {tensor};
  while (!open.empty()) {
    const std::string at = open.back();
    open.pop_back();
    if (arguments_.count(TensorKey(at)) != 0) continue;
    const ::tensorflow::NodeDef* source = graph_.Source(at);
    if (source == nullptr || !copied_.insert(source->name()).second) continue;
    ::tensorflow::NodeDef* copy = function_.add_node_def();
    *copy = *source;
    copy->clear_input();
    for (const std::string& input : source->input()) {
      if (!input.empty() && input[0] == '^') continue;
      copy->add_input(Inside(input));
      open.push_back(input);
    }
  }
  const std::string name = "result_" + std::to_string(function_.signature().output_arg_size());
  function_.mutable_signature()->add_output_arg()->set_name(name);
  (*function_.mutable_ret())[name] = Inside(tensor);
}

void SetFunction(const std::string& function, ::tensorflow::AttrValue* attribute) {
  attribute->mutable_func()->set_name(function);
  (*attribute->mutable_func()->mutable_attr())[kKeepsNames].set_b(true);
}

}  // namespace micrort::frontend::tensorflow
