#include "converter/quantize/int8_layer.h"

#include <algorithm>
#include <cmath>

#include "converter/quantize/layer.h"
#include "converter/quantize/quantized_weights.h"
#include "converter/quantize/weight_memo.h"

namespace micrort::quantize {
namespace {

// Leaves the other half of int32 to the sum of products.
constexpr double kMaxBias = 1 << 30;
// The largest bias in int64. With a larger one, the factor from sums to outputs would lose bits. Sums of
// products are still 2^24 times finer than such a bias.
constexpr double kMaxExactBias = static_cast<double>(int64_t{1} << 40);
// The largest int64 bias that int16 layers take.
constexpr double kMaxWideBias = static_cast<double>(int64_t{1} << 46);

void RaiseScalesForBias(const float* bias, float x_scale, double largest, std::vector<float>* scales) {
  for (size_t c = 0; c < scales->size(); ++c) {
    const double needed = std::fabs(static_cast<double>(bias[c])) / (static_cast<double>(x_scale) * largest);
    (*scales)[c] = std::max((*scales)[c], static_cast<float>(needed));
  }
}

std::vector<int64_t> QuantizeBias(const std::vector<float>& bias, const LayerInput& input,
                                  const std::vector<float>& scales) {
  const double largest = input.bias == DType::kInt64 ? kMaxWideBias : kMaxBias;
  std::vector<int64_t> quantized(scales.size());
  for (size_t c = 0; c < scales.size(); ++c) {
    const double q =
        std::nearbyint(static_cast<double>(bias[c]) / (static_cast<double>(input.scale) * scales[c]));
    quantized[c] = static_cast<int64_t>(std::clamp(q, -largest, largest));
  }
  return quantized;
}

// Adds the bias, or finds it where another layer with the same weights has added it.
ir::ValueId AddBias(ir::Graph* graph, const std::string& name, std::vector<int64_t> integers, DType dtype,
                    StoredWeights::StaticEntry* entry) {
  const auto [added, is_new] = entry->biases.emplace(std::move(integers), ir::kNoValue);
  if (!is_new) return added->second;
  const std::vector<int64_t>& bias = added->first;
  const std::vector<int64_t> shape = {static_cast<int64_t>(bias.size())};
  added->second = dtype == DType::kInt64
                      ? graph->AddConstantOf<int64_t>(name, shape, bias)
                      : graph->AddConstantOf<int32_t>(name, shape, {bias.begin(), bias.end()});
  return added->second;
}

// What rounded weights add to the mean of every output channel.
std::vector<double> MeanErrors(const ir::Node& node, const Layer& layer, const ir::Value& weights,
                               const ir::Value& quantized, const std::vector<double>& means) {
  std::vector<double> errors(static_cast<size_t>(layer.channels));
  const float* w = weights.as<float>();
  const int8_t* q = quantized.as<int8_t>();
  const float* scales = quantized.quantization.scales.data();
  const WeightRuns runs(node, weights, layer);
  for (size_t r = 0; r < runs.size(); ++r) {
    const WeightRun run = runs.run(r);
    if (run.input + (run.length - 1) * run.input_step / run.input_divisor >= means.size()) return {};
    for (size_t i = 0; i < run.length; ++i) {
      const size_t channel = run.channel + i * run.channel_step;
      const size_t from = run.input + (run.input_divisor == 1 ? i * run.input_step : i / run.input_divisor);
      const double error =
          q[run.first + i] * static_cast<double>(scales[channel]) - static_cast<double>(w[run.first + i]);
      errors[channel] += error * means[from];
    }
  }
  return errors;
}

// Adds the layer's weights as integers of these scales, or finds them where another layer has added them.
ir::ValueId AddIntegers(ir::Graph* graph, const Layer& layer, const std::vector<float>& scales,
                        const LayerInput& input, const PtqCorrection& correction,
                        StoredWeights::StaticEntry* entry) {
  for (const auto& [others, value] : entry->values) {
    if (others == scales) return value;
  }
  const ir::Value weights = graph->value(layer.weights);
  const auto adjust = [&](const RoundedLayer& rounded) {
    if (correction.rounding && input.moments != nullptr) RoundByMoments(rounded, *input.moments);
  };
  const auto quantize = [&]() -> WeightMemo::Integers {
    return {scales, QuantizeAdjusted(weights, layer.channel_axis, scales, adjust), {}};
  };
  ir::Value integers =
      correction.memo == nullptr
          ? quantize().value
          : correction.memo->Quantized(weights, layer.channel_axis, true, scales, quantize).value;
  const ir::ValueId value = graph->AddValue(std::move(integers));
  entry->values.emplace_back(scales, value);
  return value;
}

}  // namespace

void QuantizeLayerConstants(ir::Graph* graph, ir::Node* node, const LayerInput& input,
                            const PtqCorrection& correction, StoredWeights* stored) {
  const std::optional<Layer> layer = DescribeLayer(*graph, *node);
  StoredWeights::StaticEntry* const entry = &stored->static_entries[{layer->weights, layer->channel_axis}];
  const ir::Value weights = graph->value(layer->weights);
  if (entry->scales.empty()) entry->scales = WeightScales(weights, layer->channel_axis, correction);
  std::vector<float> scales = entry->scales;
  std::vector<float> bias;
  if (node->has_input(Layer::kBias)) {
    const float* given = graph->value(node->inputs[Layer::kBias]).as<float>();
    bias.assign(given, given + layer->channels);
    RaiseScalesForBias(bias.data(), input.scale, input.bias == DType::kInt32 ? kMaxBias : kMaxExactBias,
                       &scales);
  }
  const ir::ValueId quantized = AddIntegers(graph, *layer, scales, input, correction, entry);
  if (!bias.empty()) {
    if (correction.bias && input.means != nullptr) {
      const std::vector<double> errors =
          MeanErrors(*node, *layer, weights, graph->value(quantized), *input.means);
      for (size_t c = 0; c < errors.size(); ++c) bias[c] -= static_cast<float>(errors[c]);
    }
    const std::string name = graph->value(node->inputs[Layer::kBias]).name;
    node->inputs[Layer::kBias] = AddBias(graph, name, QuantizeBias(bias, input, scales), input.bias, entry);
  }
  node->inputs[Layer::kWeights] = quantized;
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
