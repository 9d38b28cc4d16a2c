#include "converter/frontend/onnx/local_functions.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/onnx/function_definition.h"
#include "converter/frontend/onnx/function_names.h"

namespace micrort::frontend::onnx {

namespace {

using ::google::protobuf::RepeatedPtrField;
using ::onnx::AttributeProto;
using ::onnx::GraphProto;
using ::onnx::NodeProto;
using NodePtr = std::unique_ptr<NodeProto>;

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
