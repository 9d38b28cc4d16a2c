#include "converter/quantize/int8_rewrite.h"

#include <algorithm>
#include <set>
#include <utility>

#include "converter/ir/build.h"
#include "converter/quantize/int8_layer.h"
#include "converter/quantize/layer.h"

namespace micrort::quantize {
namespace {

class Rewriter {
 public:
  Rewriter(ir::Graph* graph, const Int8Plan& plan,
           const std::map<ir::ValueId, ir::Quantization>& quantization, const LayerConstants& constants)
      : graph_(*graph), plan_(plan), quantization_(quantization), constants_(constants) {}

  void Rewrite() {
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
  }

 private:
  // A layer gives float where somebody needs that; other nodes of the plan give int8.
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
      if (it->second != Int8Role::kLayer || !(float_reader || uses.consumers[at].empty())) {
        is_int8_.insert(output);
      }
    }
  }

  void RewriteNode(ir::Node* node, Int8Role role) {
    const ir::ValueId output = node->outputs[0];
    const bool int8_output = is_int8_.count(output) != 0;
    if (role == Int8Role::kLayer) {
      if (node->has_input(Layer::kResidual)) {
        ir::ValueId& residual = node->inputs[Layer::kResidual];
        residual = int8_output ? AsInt8(residual) : AsFloat(residual);
      }
      const ir::ValueId x = node->inputs[Layer::kX];
      const auto means = constants_.means->find(graph_.value(x).name);
      const LayerInput input = {quantization_.at(x).scales[0],
                                means == constants_.means->end() ? nullptr : &means->second,
                                MomentsFor({constants_.correction, constants_.moments},
                                           graph_.value(node->inputs[Layer::kWeights]))};
      QuantizeLayerConstants(&graph_, node, input, constants_.correction);
    }
    for (const size_t i : Int8Inputs(*node, role)) node->inputs[i] = AsInt8(node->inputs[i]);
    if (int8_output) BecomeInt8(output, quantization_.at(output));
    // What the source model stated of a custom operator's output.
    if (int8_output && node->code == schema::OpCode::Custom) {
      for (auto& stated : node->as<schema::CustomOptionsT>().outputs) stated->dtype = schema::DType::Int8;
    }
  }

  void BecomeInt8(ir::ValueId id, const ir::Quantization& quantization) {
    graph_.value(id).dtype = DType::kInt8;
    graph_.value(id).quantization = quantization;
  }

  ir::ValueId AsInt8(ir::ValueId id) {
    if (is_int8_.count(id) != 0) return id;
    if (const auto it = quantized_.find(id); it != quantized_.end()) return it->second;
    const ir::Value& value = graph_.value(id);
    ir::ValueId result;
    if (value.is_constant()) {
      result = graph_.AddValue(QuantizeConstant(value, quantization_.at(id)));
    } else {
      ir::Value copy = value;
      copy.name += "_int8";
      copy.in_source = false;
      result = graph_.AddValue(std::move(copy));
      BecomeInt8(result, quantization_.at(id));
      AddConversion(schema::QuantizeOptionsT(), id, result);
    }
    quantized_[id] = result;
    return result;
  }

  ir::ValueId AsFloat(ir::ValueId id) {
    if (id == ir::kNoValue || is_int8_.count(id) == 0) return id;
    if (const auto it = dequantized_.find(id); it != dequantized_.end()) return it->second;
    ir::Value copy = graph_.value(id);
    copy.name += "_float";
    copy.in_source = false;
    copy.dtype = DType::kFloat32;
    copy.quantization = {};
    const ir::ValueId result = graph_.AddValue(std::move(copy));
    AddConversion(schema::DequantizeOptionsT(), id, result);
    dequantized_[id] = result;
    return result;
  }

  template <typename OptionsT>
  void AddConversion(OptionsT options, ir::ValueId from, ir::ValueId to) {
    auto node = std::make_unique<ir::Node>();
    node->name = graph_.value(to).name;
    node->code = ir::OpCodeFor<OptionsT>();
    node->options.Set(std::move(options));
    node->inputs = {from};
    node->outputs = {to};
    graph_.nodes.push_back(std::move(node));
  }

  // The float form of an int8 value takes over its name where the name is the user's.
  void RestoreOutputs() {
    for (ir::ValueId& output : graph_.outputs) {
      if (is_int8_.count(output) == 0) continue;
      const ir::ValueId as_float = AsFloat(output);
      const std::string name = graph_.value(output).name;
      graph_.Rename(output, name + "_int8");
      graph_.Rename(as_float, name);
      std::swap(graph_.value(as_float).in_source, graph_.value(output).in_source);
      output = as_float;
    }
  }

  ir::Graph& graph_;
  const Int8Plan& plan_;
  const std::map<ir::ValueId, ir::Quantization>& quantization_;
  const LayerConstants& constants_;
  std::set<ir::ValueId> is_int8_;                   // stored as int8 by their producer
  std::map<ir::ValueId, ir::ValueId> quantized_;    // float value → its int8 form
  std::map<ir::ValueId, ir::ValueId> dequantized_;  // int8 value → its float form
};

}  // namespace

void RewriteToInt8(ir::Graph* graph, const Int8Plan& plan,
                   const std::map<ir::ValueId, ir::Quantization>& quantization,
                   const LayerConstants& constants) {
  Rewriter(graph, plan, quantization, constants).Rewrite();
}

}  // namespace micrort::quantize
