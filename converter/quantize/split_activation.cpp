#include "converter/quantize/split_activation.h"

#include "converter/passes/match.h"
#include "converter/quantize/int8_plan.h"
#include "converter/quantize/layer.h"

namespace micrort::quantize {
namespace {

// The activation moves from the node into a new one behind it, which takes over the output.
std::unique_ptr<ir::Node> SplitOff(ir::Graph* graph, schema::Activation* activation, ir::Node* node) {
  auto unary = std::make_unique<ir::Node>();
  unary->name = node->name;
  unary->source_op = node->source_op;
  unary->source_opset = node->source_opset;
  unary->code = schema::OpCode::Unary;
  schema::UnaryOptionsT options;
  // The file numbers activations as the Unary of the same function.
  options.kind = static_cast<schema::UnaryKind>(activation->kind());
  options.a = activation->a();
  options.b = activation->b();
  unary->options.Set(std::move(options));
  *activation = schema::Activation();

  ir::Value linear = graph->value(node->outputs[0]);
  linear.name += "/linear";
  linear.in_source = false;
  unary->outputs = node->outputs;
  node->outputs[0] = graph->AddValue(std::move(linear));
  unary->inputs = node->outputs;
  return unary;
}

// The residual moves from the node into a sum behind it, which takes over output and activation.
std::unique_ptr<ir::Node> SplitOffResidual(ir::Graph* graph, ir::Node* node) {
  auto sum = std::make_unique<ir::Node>();
  sum->name = node->name;
  sum->source_op = node->source_op;
  sum->source_opset = node->source_opset;
  sum->code = schema::OpCode::Binary;
  schema::BinaryOptionsT options;
  options.kind = schema::BinaryKind::Add;
  schema::Activation* activation = passes::ActivationOf(*node);
  options.activation = *activation;
  *activation = schema::Activation();
  sum->options.Set(std::move(options));

  ir::Value product = graph->value(node->outputs[0]);
  product.name += "/product";
  product.in_source = false;
  sum->outputs = node->outputs;
  node->outputs[0] = graph->AddValue(std::move(product));
  sum->inputs = {node->outputs[0], node->inputs[Layer::kResidual]};
  node->inputs.resize(Layer::kResidual);
  if (node->inputs.back() == ir::kNoValue) node->inputs.pop_back();
  return sum;
}

template <typename IsWanted>
void SplitResidualsOf(const IsWanted& is_wanted, ir::Graph* graph) {
  std::vector<std::unique_ptr<ir::Node>> nodes;
  for (auto& node : graph->nodes) {
    ir::Node* const layer = node.get();
    nodes.push_back(std::move(node));
    if (CanBeInt8Layer(*graph, *layer) && layer->has_input(Layer::kResidual) && is_wanted(*layer))
      nodes.push_back(SplitOffResidual(graph, layer));
  }
  graph->nodes = std::move(nodes);
}

}  // namespace

void SplitResiduals(ir::Graph* graph) {
  SplitResidualsOf([](const ir::Node&) { return true; }, graph);
}

void SplitResiduals(const LayerTypes& types, ir::Graph* graph) {
  const auto is_asked = [&](const ir::Node& layer) {
    const auto it = types.find(layer.name);
    return it != types.end() && it->second == LayerType::kInt16x8;
  };
  SplitResidualsOf(is_asked, graph);
}

void SplitActivations(ir::Graph* graph) {
  std::vector<std::unique_ptr<ir::Node>> nodes;
  for (auto& node : graph->nodes) {
    schema::Activation* activation = passes::ActivationOf(*node);
    const bool split = CanBeInt8Layer(*graph, *node) && !IsClamp(*activation);
    ir::Node* layer = node.get();
    nodes.push_back(std::move(node));
    if (split) nodes.push_back(SplitOff(graph, activation, layer));
  }
  graph->nodes = std::move(nodes);
}

}  // namespace micrort::quantize
