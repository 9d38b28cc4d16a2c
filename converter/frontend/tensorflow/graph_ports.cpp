#include "converter/frontend/tensorflow/graph_ports.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/common/fetches.h"
#include "converter/frontend/common/text.h"
#include "converter/frontend/tensorflow/tensor_ref.h"

namespace micrort::frontend::tensorflow {

namespace {

using ::tensorflow::GraphDef;
using ::tensorflow::NodeDef;

bool IsPlaceholder(const NodeDef& node) { return node.op() == "Placeholder" || node.op() == "PlaceholderV2"; }

// They compute nothing that a user could want.
bool IsOnlyForEffect(const NodeDef& node) {
  static const std::set<std::string> kOps = SetOfWords(
      "Assert Const NoOp Placeholder PlaceholderV2 Print PrintV2 SaveV2 RestoreV2 VarHandleOp VariableV2 "
      "Assign MergeSummary ShardedFilename AssignVariableOp ScalarSummary HistogramSummary ReadVariableOp "
      "PlaceholderWithDefault MergeV2Checkpoints");
  return kOps.count(node.op()) != 0;
}

std::vector<Port> UnreadNodes(const GraphDef& graph) {
  std::set<std::string> read;
  for (const NodeDef& node : graph.node()) {
    for (const std::string& input : node.input()) read.insert(NodeOf(input));
  }
  std::vector<Port> ports;
  for (const NodeDef& node : graph.node()) {
    if (read.count(node.name()) == 0 && !IsOnlyForEffect(node))
      ports.push_back({node.name(), node.name(), {}});
  }
  return ports;
}

std::vector<Port> Named(const std::vector<std::string>& names) {
  std::vector<Port> ports;
  for (const std::string& name : names) ports.push_back({name, name, {}});
  return ports;
}

Status CheckNodes(const GraphDef& graph, const char* flag, const std::vector<std::string>& names) {
  std::set<std::string> defined, nodes;
  for (const NodeDef& node : graph.node()) defined.insert(node.name());
  for (const std::string& name : names) nodes.insert(NodeOf(name));
  return CheckFetches({nodes.begin(), nodes.end()}, defined, flag);
}

// Those that the user gives values are fed, be they no inputs: flags of training have a default, signatures
// leave some out. Where feeds cut a part out of the graph, any tensor may be.
void AddGivenPlaceholders(const GraphDef& graph, const ImportOptions& options, std::vector<Port>* inputs) {
  for (const InputValue& given : options.input_values) {
    const auto is_known = [&](const Port& port) { return port.name == given.input; };
    if (std::any_of(inputs->begin(), inputs->end(), is_known)) continue;
    for (const NodeDef& node : graph.node()) {
      const bool is_given =
          node.name() == given.input || (!options.feeds.empty() && node.name() == NodeOf(given.input));
      const bool may_be_fed =
          IsPlaceholder(node) || node.op() == "PlaceholderWithDefault" || !options.feeds.empty();
      if (is_given && may_be_fed) inputs->push_back({given.input, given.input, {}});
    }
  }
}

// Placeholders among the nodes that these tensors need, where the walk ends at the ones that are given.
std::vector<Port> NeededPlaceholders(const GraphDef& graph, const std::vector<Port>& outputs,
                                     const std::vector<Port>& given) {
  std::unordered_map<std::string, const NodeDef*> nodes;
  nodes.reserve(static_cast<size_t>(graph.node_size()));
  for (const NodeDef& node : graph.node()) nodes[node.name()] = &node;
  for (const Port& port : given) nodes.erase(NodeOf(port.tensor));
  std::unordered_set<std::string> seen;
  std::vector<std::string> open;
  for (const Port& port : outputs) open.push_back(NodeOf(port.tensor));
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    const auto found = nodes.find(name);
    if (found == nodes.end() || !seen.insert(name).second) continue;
    for (const std::string& input : found->second->input()) {
      if (input[0] != '^') open.push_back(NodeOf(input));
    }
  }
  std::vector<Port> ports;
  for (const NodeDef& node : graph.node()) {
    if (IsPlaceholder(node) && seen.count(node.name()) != 0) ports.push_back({node.name(), node.name(), {}});
  }
  return ports;
}

}  // namespace

Status FindPorts(const TensorflowModel& model, const ImportOptions& options, std::vector<Port>* inputs,
                 std::vector<Port>* outputs) {
  *inputs = model.inputs;
  *outputs = model.outputs;
  if (!options.outputs.empty()) {
    MICRORT_RETURN_IF_ERROR(CheckNodes(model.graph, "--fetches", options.outputs));
    *outputs = Named(options.outputs);
  }
  if (outputs->empty()) *outputs = UnreadNodes(model.graph);
  if (outputs->empty()) return Invalid("no node computes an output");
  if (!options.feeds.empty()) {
    MICRORT_RETURN_IF_ERROR(CheckNodes(model.graph, "--feeds", options.feeds));
    *inputs = Named(options.feeds);
  } else if (inputs->empty()) {
    *inputs = NeededPlaceholders(model.graph, *outputs, {});
  }
  AddGivenPlaceholders(model.graph, options, inputs);
  return Status();
}

std::set<std::string> MissingPlaceholders(const GraphDef& graph, const std::vector<Port>& inputs,
                                          const std::vector<Port>& outputs) {
  std::set<std::string> names;
  for (const Port& port : NeededPlaceholders(graph, outputs, inputs)) names.insert(port.name);
  return names;
}

ShapeGuesser::ShapeGuesser(const GraphDef& graph) {
  for (const NodeDef& node : graph.node()) {
    nodes_.emplace(node.name(), &node);
    for (int i = 0; i < node.input_size(); ++i) {
      if (node.input(i)[0] == '^') continue;
      std::vector<Reader>& readers = readers_[NodeOf(node.input(i))];
      const bool is_again = !readers.empty() && readers.back().node == &node;
      if (!is_again) readers.push_back({&node, i == 0 && node.input_size() > 1});
    }
  }
}

// The dimension of a constant, or of a constant behind an Identity; kDynamic if it is none.
int64_t ShapeGuesser::ConstantDim(const std::string& name, int axis) const {
  auto found = nodes_.find(NodeOf(name));
  if (found != nodes_.end() && found->second->op() == "Identity" && found->second->input_size() > 0)
    found = nodes_.find(NodeOf(found->second->input(0)));
  if (found == nodes_.end() || found->second->op() != "Const") return ir::kDynamic;
  const auto value = found->second->attr().find("value");
  if (value == found->second->attr().end()) return ir::kDynamic;
  const auto& shape = value->second.tensor().tensor_shape();
  return axis < shape.dim_size() ? shape.dim(axis).size() : ir::kDynamic;
}

bool ShapeGuesser::Guess(const std::string& placeholder, std::vector<int64_t>* shape) const {
  static const std::set<std::string> kArithmetic = {"Add",     "AddV2",   "Sub",     "Mul", "Div",
                                                    "RealDiv", "Maximum", "Minimum", "Cast"};
  shape->clear();
  const auto readers = readers_.find(placeholder);
  if (readers == readers_.end()) return false;
  bool is_scalar = true;
  for (const Reader& reader : readers->second) {
    const NodeDef& node = *reader.node;
    if (reader.is_first && (node.op() == "Conv2D" || node.op() == "DepthwiseConv2dNative")) {
      const auto format = node.attr().find("data_format");
      if (format != node.attr().end() && format->second.s() == "NCHW") return false;
      *shape = {ir::kDynamic, ir::kDynamic, ir::kDynamic, ConstantDim(node.input(1), 2)};
      return true;
    }
    const auto transposed = node.attr().find("transpose_a");
    if (reader.is_first && node.op() == "MatMul" &&
        (transposed == node.attr().end() || !transposed->second.b())) {
      const auto b = node.attr().find("transpose_b");
      const int axis = b != node.attr().end() && b->second.b() ? 1 : 0;
      *shape = {ir::kDynamic, ConstantDim(node.input(1), axis)};
      return true;
    }
    is_scalar &= kArithmetic.count(node.op()) != 0;
  }
  return is_scalar;
}

}  // namespace micrort::frontend::tensorflow
