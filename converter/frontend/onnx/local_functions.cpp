#include "converter/frontend/onnx/local_functions.h"

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/onnx/function_definition.h"

namespace micrort::frontend::onnx {

namespace {

using ::google::protobuf::RepeatedPtrField;
using ::onnx::AttributeProto;
using ::onnx::GraphProto;
using ::onnx::NodeProto;
using NodePtr = std::unique_ptr<NodeProto>;

// The names that values of a function get where the function replaces a call.

// All names of a model, so that new ones are different.
class NameSet {
 public:
  // Takes the names of a graph and of those inside its nodes.
  void Reserve(const ::onnx::GraphProto& graph);
  // `wanted`, with a suffix if that is taken; taken from now on.
  std::string Take(const std::string& wanted);

 private:
  void Reserve(const ::onnx::NodeProto& node);

  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> next_suffix_;  // by the name that was wanted
};

// The names of one call: inputs and outputs of the function are those of the call, everything inside is
// called after the call ("norm/mean").
class FunctionNames {
 public:
  FunctionNames(const FunctionDefinition& function, const ::onnx::NodeProto& call, NameSet* taken);

  // Renames all that a copy of a node of the body reads and writes, in the graphs inside it too.
  void Rename(::onnx::NodeProto* node);

  // Some outputs of a function are its inputs: no node of the body writes them.
  std::vector<::onnx::NodeProto> OutputsThatAreInputs() const;

 private:
  std::string NameOf(const std::string& inside);
  void Rename(::onnx::GraphProto* graph);

  NameSet& taken_;
  const std::string prefix_;
  std::unordered_map<std::string, std::string> names_;               // by the name in the function
  std::vector<std::pair<std::string, std::string>> passed_through_;  // input and output of the call
};

std::string PrefixOf(const ::onnx::NodeProto& call) {
  return (call.name().empty() ? call.op_type() : call.name()) + "/";
}

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

// Functions that call others twice double the graph with every level.
constexpr size_t kMaxNodes = size_t{1} << 17;
constexpr size_t kMaxBytes = size_t{1} << 31;
constexpr size_t kMaxDepth = 100;
// Inside each other. Messages in a file have at most 100 levels, of which a graph takes three, but functions
// that call others from within graphs make more of them.
constexpr size_t kMaxNestedGraphs = 128;

class Inliner {
 public:
  explicit Inliner(OnnxModel* model) : model_(*model) {}

  Status Run() {
    for (const auto& proto : model_.proto.functions()) {
      FunctionDefinition function;
      MICRORT_RETURN_IF_ERROR(ReadFunction(proto, &function));
      const std::string key = function.key;
      if (!functions_.emplace(key, std::move(function)).second)
        return Invalid("function '{}' is defined twice", key);
    }
    if (functions_.empty()) return Status();
    names_.Reserve(model_.proto.graph());
    return InlineGraph(model_.proto.mutable_graph());
  }

 private:
  Status InlineGraph(GraphProto* graph) {
    if (++graphs_ > kMaxNestedGraphs)
      return Unsupported("more than {} graphs inside each other", kMaxNestedGraphs);
    std::vector<NodeProto*> nodes(static_cast<size_t>(graph->node_size()));
    graph->mutable_node()->ExtractSubrange(0, graph->node_size(), nodes.data());
    std::vector<NodePtr> owned(nodes.begin(), nodes.end());
    for (NodePtr& node : owned) MICRORT_RETURN_IF_ERROR(Expand(std::move(node), graph->mutable_node()));
    --graphs_;
    return Status();
  }

  // Appends the node, or what it calls.
  Status Expand(NodePtr node, RepeatedPtrField<NodeProto>* out) {
    const auto found = functions_.find(FunctionKey(*node));
    if (found == functions_.end()) return Keep(std::move(node), out);
    const bool outermost = callers_.empty();
    const Status status = Call(found->second, *node, out);
    return outermost
               ? status.WithPrefix("node '%s', which calls '%s'", node->name().c_str(), found->first.c_str())
               : status;
  }

  Status Keep(NodePtr node, RepeatedPtrField<NodeProto>* out) {
    NodeProto* kept = node.release();
    out->AddAllocated(kept);
    for (AttributeProto& a : *kept->mutable_attribute()) {
      if (a.has_g()) MICRORT_RETURN_IF_ERROR(InlineGraph(a.mutable_g()));
      for (GraphProto& g : *a.mutable_graphs()) MICRORT_RETURN_IF_ERROR(InlineGraph(&g));
    }
    return Status();
  }

  Status Call(const FunctionDefinition& function, const NodeProto& call, RepeatedPtrField<NodeProto>* out) {
    if (std::find(callers_.begin(), callers_.end(), &function) != callers_.end())
      return Invalid("the function calls itself");
    if (callers_.size() == kMaxDepth)
      return Unsupported("more than {} functions inside each other", kMaxDepth);
    MICRORT_RETURN_IF_ERROR(CheckCall(function, call));
    callers_.push_back(&function);
    FunctionNames names(function, call, &names_);
    for (const NodeProto& body : function.proto->node()) MICRORT_RETURN_IF_ERROR(Count(function, call, body));
    for (const NodeProto& body : function.proto->node()) {
      auto copy = std::make_unique<NodeProto>(body);
      BindAttributes(function, call, copy.get());
      names.Rename(copy.get());
      NoteOpset(function, *copy);
      MICRORT_RETURN_IF_ERROR(Expand(std::move(copy), out));
    }
    for (NodeProto& identity : names.OutputsThatAreInputs()) *out->Add() = std::move(identity);
    callers_.pop_back();
    return Status();
  }

  // Before anything is copied: attributes of the call are, as often as the function refers to them.
  Status Count(const FunctionDefinition& function, const NodeProto& call, const NodeProto& node) {
    bytes_ += node.ByteSizeLong();
    if (bytes_ <= kMaxBytes) bytes_ += BoundBytes(function, call, node, kMaxBytes - bytes_);
    if (++nodes_ <= kMaxNodes && bytes_ <= kMaxBytes) return Status();
    return Unsupported("with its functions in place, the model has over {} nodes or {} bytes", kMaxNodes,
                       kMaxBytes);
  }

  // A function imports opsets of its own.
  void NoteOpset(const FunctionDefinition& function, const NodeProto& node) {
    const auto own = function.opsets.find(CanonicalDomain(node.domain()));
    if (own != function.opsets.end() && own->second != model_.OpsetOf(node.domain()))
      model_.node_opsets[&node] = own->second;
    for (const AttributeProto& a : node.attribute()) {
      for (const NodeProto& inner : a.g().node()) NoteOpset(function, inner);
      for (const GraphProto& g : a.graphs()) {
        for (const NodeProto& inner : g.node()) NoteOpset(function, inner);
      }
    }
  }

  OnnxModel& model_;
  std::map<std::string, FunctionDefinition> functions_;
  std::vector<const FunctionDefinition*> callers_;  // those that are being put in place, outermost first
  NameSet names_;
  size_t nodes_ = 0, bytes_ = 0;
  size_t graphs_ = 0;  // around the node at hand
};

}  // namespace

Status InlineFunctions(OnnxModel* model) { return Inliner(model).Run(); }

}  // namespace micrort::frontend::onnx
