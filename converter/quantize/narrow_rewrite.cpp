#include "converter/quantize/narrow_rewrite.h"

#include <algorithm>
#include <set>
#include <utility>

#include "converter/quantize/layer.h"
#include "runtime/model/operator_options.h"

namespace micrort::quantize {
namespace {

class Rewriter {
 public:
  Rewriter(ir::Graph* graph, const NarrowPlan& plan, const NarrowType& type)
      : graph_(*graph), plan_(plan), type_(type) {}

  std::map<ir::ValueId, ir::ValueId> Rewrite() {
    ChooseOutputs();
    std::vector<std::unique_ptr<ir::Node>> old;
    old.swap(graph_.nodes);
    for (auto& node : old) {
      const auto it = plan_.find(node.get());
      if (it == plan_.end()) {
        for (ir::ValueId& input : node->inputs) input = AsFloat(input);
      } else {
        RewriteNode(node.get(), it->second);
      }
      graph_.nodes.push_back(std::move(node));
    }
    RestoreOutputs();
    return std::move(widened_);
  }

 private:
  // A layer gives float where somebody needs that; other nodes of the plan do not.
  void ChooseOutputs() {
    const ir::Graph::Uses uses = graph_.ComputeUses();
    for (const auto& node : graph_.nodes) {
      const auto it = plan_.find(node.get());
      if (it == plan_.end()) continue;
      const ir::ValueId output = node->outputs[0];
      const size_t at = static_cast<size_t>(output);
      const bool float_reader =
          uses.is_output[at] || std::any_of(uses.consumers[at].begin(), uses.consumers[at].end(),
                                            [&](const ir::Node* reader) { return plan_.count(reader) == 0; });
      const bool gives_float = it->second == Int8Role::kLayer && type_.LayersGiveFloats();
      if (!gives_float || !(float_reader || uses.consumers[at].empty())) {
        is_narrow_.insert(output);
      }
    }
  }

  void RewriteNode(ir::Node* node, Int8Role role) {
    const ir::ValueId output = node->outputs[0];
    const bool narrow_output = is_narrow_.count(output) != 0;
    if (role == Int8Role::kLayer && node->has_input(Layer::kResidual)) {
      ir::ValueId& residual = node->inputs[Layer::kResidual];
      residual = narrow_output ? AsNarrow(residual) : AsFloat(residual);
    }
    type_.Change(&graph_, node, role, narrow_output);
    for (const size_t i : NarrowInputs(*node, role)) node->inputs[i] = AsNarrow(node->inputs[i]);
    if (narrow_output) type_.SetType(output, &graph_.value(output));
  }

  ir::ValueId AsNarrow(ir::ValueId id) {
    if (is_narrow_.count(id) != 0) return id;
    if (const auto it = narrowed_.find(id); it != narrowed_.end()) return it->second;
    const ir::Value& value = graph_.value(id);
    ir::ValueId result;
    if (value.is_constant()) {
      result = graph_.AddValue(type_.Constant(id, value));
    } else {
      ir::Value copy = value;
      copy.name += type_.suffix();
      copy.in_source = false;
      type_.SetType(id, &copy);
      result = graph_.AddValue(std::move(copy));
      AddConversion(type_.ToNarrow(), id, result);
      graph_.nodes.back()->rounding = type_.NarrowRounding();
    }
    narrowed_[id] = result;
    return result;
  }

  ir::ValueId AsFloat(ir::ValueId id) {
    if (id == ir::kNoValue || is_narrow_.count(id) == 0) return id;
    if (const auto it = widened_.find(id); it != widened_.end()) return it->second;
    ir::Value copy = graph_.value(id);
    copy.name += "_float";
    copy.in_source = false;
    copy.dtype = DType::kFloat32;
    copy.quantization = {};
    const ir::ValueId result = graph_.AddValue(std::move(copy));
    AddConversion(type_.ToFloat(), id, result);
    widened_[id] = result;
    return result;
  }

  void AddConversion(schema::OptionsUnion options, ir::ValueId from, ir::ValueId to) {
    auto node = std::make_unique<ir::Node>();
    node->name = graph_.value(to).name;
    node->code = OpCodeOf(options.type);
    node->options = std::move(options);
    node->inputs = {from};
    node->outputs = {to};
    graph_.nodes.push_back(std::move(node));
  }

  // The float form of a narrow value takes over its name where the name is the user's.
  void RestoreOutputs() {
    for (ir::ValueId& output : graph_.outputs) {
      if (is_narrow_.count(output) == 0) continue;
      const ir::ValueId as_float = AsFloat(output);
      const std::string name = graph_.value(output).name;
      graph_.Rename(output, name + type_.suffix());
      graph_.Rename(as_float, name);
      std::swap(graph_.value(as_float).in_source, graph_.value(output).in_source);
      output = as_float;
    }
  }

  ir::Graph& graph_;
  const NarrowPlan& plan_;
  const NarrowType& type_;
  std::set<ir::ValueId> is_narrow_;              // stored in the type by their producer
  std::map<ir::ValueId, ir::ValueId> narrowed_;  // float value → its narrow form
  std::map<ir::ValueId, ir::ValueId> widened_;   // narrow value → its float form
};

}  // namespace

std::map<ir::ValueId, ir::ValueId> RewriteToNarrow(ir::Graph* graph, const NarrowPlan& plan,
                                                   const NarrowType& type) {
  return Rewriter(graph, plan, type).Rewrite();
}

}  // namespace micrort::quantize
