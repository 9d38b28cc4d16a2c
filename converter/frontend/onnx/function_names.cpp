#include "converter/frontend/onnx/function_names.h"

namespace micrort::frontend::onnx {

namespace {

std::string PrefixOf(const ::onnx::NodeProto& call) {
  return (call.name().empty() ? call.op_type() : call.name()) + "/";
}

}  // namespace

void NameSet::Reserve(const ::onnx::GraphProto& graph) {
  for (const auto& info : graph.input()) taken_.insert(info.name());
  for (const auto& tensor : graph.initializer()) taken_.insert(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) taken_.insert(tensor.values().name());
  for (const auto& node : graph.node()) Reserve(node);
}

void NameSet::Reserve(const ::onnx::NodeProto& node) {
  taken_.insert(node.output().begin(), node.output().end());
  for (const auto& a : node.attribute()) {
    Reserve(a.g());
    for (const auto& graph : a.graphs()) Reserve(graph);
  }
}

std::string NameSet::Take(const std::string& wanted) {
  std::string name = wanted;
  while (!taken_.insert(name).second) name = wanted + "_" + std::to_string(++next_suffix_[wanted]);
  return name;
}

FunctionNames::FunctionNames(const FunctionDefinition& function, const ::onnx::NodeProto& call,
                             NameSet* taken)
    : taken_(*taken), prefix_(PrefixOf(call)) {
  const auto& proto = *function.proto;
  for (int i = 0; i < proto.input_size(); ++i)
    names_.emplace(proto.input(i), i < call.input_size() ? call.input(i) : "");
  for (int i = 0; i < call.output_size(); ++i) {
    if (call.output(i).empty()) continue;
    const auto [entry, is_new] = names_.emplace(proto.output(i), call.output(i));
    if (!is_new) passed_through_.emplace_back(entry->second, call.output(i));
  }
}

std::string FunctionNames::NameOf(const std::string& inside) {
  if (inside.empty()) return "";
  const auto [entry, is_new] = names_.emplace(inside, "");
  if (is_new) entry->second = taken_.Take(prefix_ + inside);
  return entry->second;
}

void FunctionNames::Rename(::onnx::NodeProto* node) {
  node->set_name(prefix_ + (node->name().empty() ? node->op_type() : node->name()));
  for (std::string& name : *node->mutable_input()) name = NameOf(name);
  for (std::string& name : *node->mutable_output()) name = NameOf(name);
  for (auto& a : *node->mutable_attribute()) {
    if (a.has_g()) Rename(a.mutable_g());
    for (auto& graph : *a.mutable_graphs()) Rename(&graph);
  }
}

void FunctionNames::Rename(::onnx::GraphProto* graph) {
  for (auto& info : *graph->mutable_input()) info.set_name(NameOf(info.name()));
  for (auto& info : *graph->mutable_output()) info.set_name(NameOf(info.name()));
  for (auto& info : *graph->mutable_value_info()) info.set_name(NameOf(info.name()));
  for (auto& tensor : *graph->mutable_initializer()) tensor.set_name(NameOf(tensor.name()));
  for (auto& tensor : *graph->mutable_sparse_initializer())
    tensor.mutable_values()->set_name(NameOf(tensor.values().name()));
  for (auto& node : *graph->mutable_node()) Rename(&node);
}

std::vector<::onnx::NodeProto> FunctionNames::OutputsThatAreInputs() const {
  std::vector<::onnx::NodeProto> nodes;
  for (const auto& [input, output] : passed_through_) {
    ::onnx::NodeProto identity;
    identity.set_name(prefix_ + "Identity");
    identity.set_op_type("Identity");
    identity.add_input(input);
    identity.add_output(output);
    nodes.push_back(std::move(identity));
  }
  return nodes;
}

}  // namespace micrort::frontend::onnx
