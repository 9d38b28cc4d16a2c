#include "converter/quantize/layer.h"

#include <algorithm>

#include "converter/ir/op_facts.h"

namespace micrort::quantize {
namespace {

// Multiply-adds per element of the output; of the input for a transposed convolution.
int64_t WorkPerElement(const ir::Node& node, const ir::Value& weights, int64_t weights_per_channel) {
  if (node.code == schema::OpCode::ConvTranspose2D)
    return weights.elements() / std::max<int64_t>(1, weights.shape[3]);
  if (node.code == schema::OpCode::MatMul) {
    return weights
        .shape[static_cast<size_t>(weights.rank() - (node.as<schema::MatMulOptionsT>().transpose_b ? 1 : 2))];
  }
  return weights_per_channel;
}

// Null for operators without it.
schema::WeightCompute* ComputeOption(ir::Node* node) {
  switch (node->code) {
    case schema::OpCode::Conv2D:
      return &node->as<schema::Conv2DOptionsT>().compute;
    case schema::OpCode::DepthwiseConv2D:
      return &node->as<schema::DepthwiseConv2DOptionsT>().compute;
    case schema::OpCode::ConvTranspose2D:
      return &node->as<schema::ConvTranspose2DOptionsT>().compute;
    case schema::OpCode::MatMul:
      return &node->as<schema::MatMulOptionsT>().compute;
    case schema::OpCode::Recurrent:
      return &node->as<schema::RecurrentOptionsT>().compute;
    default:
      return nullptr;
  }
}

bool IsConstantFloat(const ir::Value& value) { return value.is_constant() && value.dtype == DType::kFloat32; }

}  // namespace

int64_t TypicalElements(const ir::Value& value) {
  int64_t n = 1;
  for (const int64_t d : value.shape) n *= d == ir::kDynamic ? 1 : d;
  return n;
}

std::optional<Layer> DescribeLayer(const ir::Graph& graph, const ir::Node& node) {
  if (!node.has_input(Layer::kX) || !node.has_input(Layer::kWeights)) return {};
  if (node.outputs.size() != 1 && node.code != schema::OpCode::Recurrent) return {};
  Layer layer;
  layer.weights = node.inputs[Layer::kWeights];
  const ir::Value& weights = graph.value(layer.weights);
  layer.channel_axis = ir::ChannelAxis(node, weights.rank());
  if (layer.channel_axis < 0 || !IsConstantFloat(weights)) return {};
  if (node.has_input(Layer::kBias) && !IsConstantFloat(graph.value(node.inputs[Layer::kBias]))) return {};
  layer.channels = weights.shape[static_cast<size_t>(layer.channel_axis)];
  if (layer.channels == 0 || weights.elements() == 0) return {};
  layer.weights_per_channel = weights.elements() / layer.channels;

  const std::vector<int64_t>& x_shape = graph.value(node.inputs[Layer::kX]).shape;
  layer.input_channels = x_shape.empty() ? 1 : std::max<int64_t>(1, x_shape.back());
  const int64_t x = TypicalElements(graph.value(node.inputs[Layer::kX]));
  const int64_t y = TypicalElements(graph.value(node.outputs[0]));
  layer.activations = x + y;
  layer.multiply_adds = WorkPerElement(node, weights, layer.weights_per_channel) *
                        (node.code == schema::OpCode::ConvTranspose2D ? x : y);
  return layer;
}

WeightRuns::WeightRuns(const ir::Node& node, const ir::Value& weights, const Layer& layer)
    : length_(static_cast<size_t>(weights.shape.back())),
      channels_(static_cast<size_t>(layer.channels)),
      channel_step_(layer.channel_axis == weights.rank() - 1 ? 1 : 0),
      inputs_(static_cast<size_t>(layer.input_channels)),
      weights_per_channel_(static_cast<size_t>(layer.weights_per_channel)) {
  runs_ = static_cast<size_t>(weights.elements()) / length_;
  for (int d = layer.channel_axis + 1; d < weights.rank(); ++d)
    inner_ *= static_cast<size_t>(weights.shape[static_cast<size_t>(d)]);
  switch (node.code) {
    case schema::OpCode::DepthwiseConv2D:  // [KH,KW,O]
      input_divisor_ = std::max<size_t>(1, channels_ / inputs_);
      break;
    case schema::OpCode::MatMul:  // [K,N] or [N,K]
      is_product_ = true;
      input_step_ = node.as<schema::MatMulOptionsT>().transpose_b ? 1 : 0;
      break;
    default: {  // [O,KH,KW,C/groups]
      const size_t groups = std::max<size_t>(1, inputs_ / length_);
      channels_in_group_ = std::max<size_t>(1, channels_ / groups);
      break;
    }
  }
}

WeightRun WeightRuns::run(size_t i) const {
  WeightRun run = {i * length_, length_, 0, channel_step_, 0, input_step_, input_divisor_};
  if (channel_step_ == 0) run.channel = run.first / inner_ % channels_;
  if (is_product_) {
    run.input = input_step_ == 0 ? i % inputs_ : 0;
  } else if (channel_step_ == 0) {
    run.input = run.first / weights_per_channel_ / channels_in_group_ * length_;
  }
  return run;
}

void SetWeightCompute(ir::Node* node, schema::WeightCompute compute) {
  if (schema::WeightCompute* option = ComputeOption(node)) *option = compute;
}

bool RoundsActivations(const ir::Node& node) {
  const schema::WeightCompute* option = ComputeOption(const_cast<ir::Node*>(&node));
  return option != nullptr &&
         (*option == schema::WeightCompute::DynamicInt8 || *option == schema::WeightCompute::SymmetricInt8 ||
          *option == schema::WeightCompute::GroupedInt8);
}

}  // namespace micrort::quantize
