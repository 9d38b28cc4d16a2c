#include "converter/quantize/int8_layer.h"

#include <algorithm>
#include <cmath>

#include "converter/quantize/layer.h"
#include "converter/quantize/quantized_weights.h"

namespace micrort::quantize {
namespace {

// Leaves the other half of int32 to the sum of products.
constexpr double kMaxBias = 1 << 30;

void RaiseScalesForBias(const float* bias, float x_scale, std::vector<float>* scales) {
  for (size_t c = 0; c < scales->size(); ++c) {
    const double needed = std::fabs(static_cast<double>(bias[c])) / (static_cast<double>(x_scale) * kMaxBias);
    (*scales)[c] = std::max((*scales)[c], static_cast<float>(needed));
  }
}

std::vector<int32_t> QuantizeBias(const float* bias, float x_scale, const std::vector<float>& scales) {
  std::vector<int32_t> quantized(scales.size());
  for (size_t c = 0; c < scales.size(); ++c) {
    const double q = std::nearbyint(bias[c] / (static_cast<double>(x_scale) * scales[c]));
    quantized[c] = static_cast<int32_t>(std::clamp(q, -kMaxBias, kMaxBias));
  }
  return quantized;
}

}  // namespace

void QuantizeLayerConstants(ir::Graph* graph, ir::Node* node, float x_scale) {
  const std::optional<Layer> layer = DescribeLayer(*graph, *node);
  const ir::Value weights = graph->value(layer->weights);
  std::vector<float> scales = SymmetricScales(LargestPerChannel(weights, layer->channel_axis));
  if (node->has_input(Layer::kBias)) {
    const ir::Value bias = graph->value(node->inputs[Layer::kBias]);
    RaiseScalesForBias(bias.as<float>(), x_scale, &scales);
    const std::vector<int32_t> quantized = QuantizeBias(bias.as<float>(), x_scale, scales);
    node->inputs[Layer::kBias] = graph->AddConstantOf<int32_t>(bias.name, bias.shape, quantized);
  }
  node->inputs[Layer::kWeights] = graph->AddValue(QuantizePerChannel(weights, layer->channel_axis, scales));
}

ir::Value QuantizeConstant(const ir::Value& constant, const ir::Quantization& quantization) {
  ir::Bytes bytes(static_cast<size_t>(constant.elements()));
  const float* x = constant.as<float>();
  for (size_t i = 0; i < bytes.size(); ++i) {
    const double q =
        std::nearbyint(static_cast<double>(x[i]) / quantization.scales[0]) + quantization.zero_points[0];
    bytes[i] = static_cast<uint8_t>(static_cast<int8_t>(std::clamp(q, -128.0, 127.0)));
  }
  ir::Value out = constant;
  out.dtype = DType::kInt8;
  out.quantization = quantization;
  out.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return out;
}

}  // namespace micrort::quantize
