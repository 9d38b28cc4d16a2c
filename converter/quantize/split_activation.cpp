#include "converter/quantize/split_activation.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "converter/passes/match.h"
#include "converter/quantize/int8_plan.h"
#include "converter/quantize/layer.h"

namespace micrort::quantize {
namespace {

// The slope that all channels have, if they have one.
std::optional<float> EqualSlope(const ir::Graph& graph, const ir::Node& node) {
  const ir::Value& slopes = graph.value(node.inputs[Layer::kSlopes]);
  const float first = *slopes.as<float>();
  const auto is_first = [=](float slope) { return slope == first; };
  const bool equal = std::all_of(slopes.as<float>(), slopes.as<float>() + slopes.elements(), is_first);
  return equal ? std::optional<float>(first) : std::nullopt;
}

void DropSlopes(ir::Node* node) {
  node->inputs.resize(Layer::kSlopes);
  while (node->inputs.back() == ir::kNoValue) node->inputs.pop_back();
}

// Makes LeakyRelu of PRelu with one slope.
void TakeEqualSlope(const ir::Graph& graph, ir::Node* node) {
  schema::Activation* activation = passes::ActivationOf(*node);
  if (activation == nullptr || activation->kind() != schema::ActivationKind::PRelu) return;
  const std::optional<float> slope = EqualSlope(graph, *node);
  if (!slope) return;
  *activation = schema::Activation(schema::ActivationKind::LeakyRelu, *slope, 0);
  DropSlopes(node);
}

// The activation of the node as an operator, without input and output.
std::unique_ptr<ir::Node> ActivationNode(const ir::Node& node, const schema::Activation& activation) {
  auto result = std::make_unique<ir::Node>();
  result->name = node.name;
  result->source_op = node.source_op;
  result->source_opset = node.source_opset;
  if (activation.kind() == schema::ActivationKind::PRelu) {
    result->code = schema::OpCode::Binary;
    schema::BinaryOptionsT options;
    options.kind = schema::BinaryKind::PRelu;
    result->options.Set(std::move(options));
    return result;
  }
  result->code = schema::OpCode::Unary;
  schema::UnaryOptionsT options;
  // The file numbers other activations as the Unary of the same function.
  options.kind = static_cast<schema::UnaryKind>(activation.kind());
  options.a = activation.a();
  options.b = activation.b();
  result->options.Set(std::move(options));
  return result;
}

// The activation moves from the node into a new one behind it, which takes over the output.
std::unique_ptr<ir::Node> SplitOff(ir::Graph* graph, ir::Node* node) {
  TakeEqualSlope(*graph, node);
  schema::Activation* activation = passes::ActivationOf(*node);
  std::unique_ptr<ir::Node> result = ActivationNode(*node, *activation);
  ir::Value linear = graph->value(node->outputs[0]);
  linear.name += "/linear";
  linear.in_source = false;
  result->outputs = node->outputs;
  node->outputs[0] = graph->AddValue(std::move(linear));
  result->inputs = node->outputs;
  if (activation->kind() == schema::ActivationKind::PRelu) {
    result->inputs.push_back(node->inputs[Layer::kSlopes]);
    DropSlopes(node);
  }
  *activation = schema::Activation();
  return result;
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
void SplitForInt16If(const IsWanted& is_wanted, ir::Graph* graph) {
  std::vector<std::unique_ptr<ir::Node>> nodes;
  for (auto& node : graph->nodes) {
    ir::Node* const layer = node.get();
    nodes.push_back(std::move(node));
    if (!CanBeInt8Layer(*graph, *layer) || !is_wanted(*layer)) continue;
    std::unique_ptr<ir::Node> activation;
    if (layer->has_input(Layer::kSlopes)) activation = SplitOff(graph, layer);
    if (layer->has_input(Layer::kResidual)) nodes.push_back(SplitOffResidual(graph, layer));
    if (activation) nodes.push_back(std::move(activation));
  }
  graph->nodes = std::move(nodes);
}

}  // namespace

void SplitForInt16(ir::Graph* graph) {
  SplitForInt16If([](const ir::Node&) { return true; }, graph);
}

void SplitForInt16(const LayerTypes& types, ir::Graph* graph) {
  const auto is_asked = [&](const ir::Node& layer) {
    const auto it = types.find(layer.name);
    return it != types.end() && it->second == LayerType::kInt16x8;
  };
  SplitForInt16If(is_asked, graph);
}

void GiveSlopes(ir::Graph* graph, ir::Node* node) {
  schema::Activation* activation = passes::ActivationOf(*node);
  if (activation->kind() != schema::ActivationKind::LeakyRelu) return;
  const int64_t channels = graph->value(node->outputs[0]).shape.back();
  if (channels == ir::kDynamic) return;
  const std::vector<float> slopes(static_cast<size_t>(channels), activation->a());
  *activation = schema::Activation(schema::ActivationKind::PRelu, 0, 0);
  node->inputs.resize(Layer::kSlopes + 1, ir::kNoValue);
  node->inputs[Layer::kSlopes] = graph->AddConstantOf(node->name + "/slopes", {channels}, slopes);
}

void TakeEqualSlopes(ir::Graph* graph) {
  for (const auto& node : graph->nodes) {
    if (IsLayer(node->code) && graph->value(node->outputs[0]).dtype == DType::kFloat32)
      TakeEqualSlope(*graph, node.get());
  }
}

void SplitActivations(ir::Graph* graph) {
  std::vector<std::unique_ptr<ir::Node>> nodes;
  for (auto& node : graph->nodes) {
    ir::Node* layer = node.get();
    nodes.push_back(std::move(node));
    if (!CanBeInt8Layer(*graph, *layer)) continue;
    GiveSlopes(graph, layer);
    if (!HasIntegerEpilogue(*graph, *layer)) nodes.push_back(SplitOff(graph, layer));
  }
  graph->nodes = std::move(nodes);
}

}  // namespace micrort::quantize
