#include "converter/quantize/int4_weights.h"

#include <algorithm>
#include <cmath>

#include "converter/quantize/balanced_rounding.h"
#include "converter/quantize/quantized_weights.h"

namespace micrort::quantize {
namespace {

constexpr float kLowest = -8.0f, kHighest = 7.0f;

// Returns the squared error.
double Quantize(const float* weights, size_t n, float scale, int8_t* quantized) {
  double error = 0.0;
  for (size_t i = 0; i < n; ++i) {
    const float q = std::clamp(std::nearbyint(weights[i] / scale), kLowest, kHighest);
    quantized[i] = static_cast<int8_t>(q);
    const double difference = static_cast<double>(weights[i]) - static_cast<double>(scale) * q;
    error += difference * difference;
  }
  return error;
}

// The best scale for these integers: least squares; 0 if they are all 0.
float FittedScale(const float* weights, size_t n, const int8_t* quantized) {
  double product = 0.0, energy = 0.0;
  for (size_t i = 0; i < n; ++i) {
    product += static_cast<double>(weights[i]) * quantized[i];
    energy += static_cast<double>(quantized[i]) * quantized[i];
  }
  return energy == 0.0 ? 0.0f : static_cast<float>(product / energy);
}

// One output channel a row, elements in the order in which the layer adds them up.
std::vector<float> Rows(const ir::Value& weights, bool transpose) {
  const float* w = weights.as<float>();
  const auto n = static_cast<size_t>(weights.elements());
  std::vector<float> rows(w, w + n);
  if (!transpose) return rows;
  const auto depth = static_cast<size_t>(weights.shape[0]), columns = static_cast<size_t>(weights.shape[1]);
  for (size_t k = 0; k < depth; ++k) {
    for (size_t j = 0; j < columns; ++j) rows[j * depth + k] = w[k * columns + j];
  }
  return rows;
}

// "" if int4 can hold the layer's weights: see schema::DType.
std::string Obstacle(const ir::Graph& graph, const ir::Node& node, const Layer& layer) {
  const ir::Value& weights = graph.value(layer.weights);
  const bool has_form = node.code == schema::OpCode::Conv2D || node.code == schema::OpCode::ConvTranspose2D ||
                        (node.code == schema::OpCode::MatMul && weights.rank() == 2);
  if (!has_form) return "no int4 form for this operator";
  if (layer.weights_per_channel < kInt4Group) return "fewer weights a channel than a group has";
  const int64_t last = node.code == schema::OpCode::MatMul ? layer.weights_per_channel : weights.shape.back();
  return last % 2 == 0 ? "" : "an odd number of input channels";
}

ir::Bytes Packed(const std::vector<int8_t>& quantized) {
  ir::Bytes bytes(quantized.size() / 2);
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto low = static_cast<uint8_t>(quantized[2 * i] & 15);
    const auto high = static_cast<uint8_t>(quantized[2 * i + 1] & 15);
    bytes[i] = static_cast<uint8_t>(low | high << 4);
  }
  return bytes;
}

}  // namespace

float BestInt4Scale(const float* weights, size_t n, int8_t* quantized) {
  float largest = 0.0f;
  for (size_t i = 0; i < n; ++i) largest = std::max(largest, std::fabs(weights[i]));
  float best = std::max(largest / -kLowest, kMinScale);
  double least = Quantize(weights, n, best, quantized);
  std::vector<int8_t> trial(n);
  const auto try_scale = [&](float scale) {
    if (!(scale > kMinScale)) return;
    const double error = Quantize(weights, n, scale, trial.data());
    if (error >= least) return;
    least = error;
    best = scale;
    std::copy(trial.begin(), trial.end(), quantized);
  };
  // Steps from far wider than the largest weight needs to some that clip it, each fitted to its integers.
  for (int step = 0; step <= 24; ++step) {
    const float scale = largest / (5.0f + 0.25f * static_cast<float>(step));
    try_scale(scale);
    if (scale > kMinScale) {
      Quantize(weights, n, scale, trial.data());
      try_scale(FittedScale(weights, n, trial.data()));
    }
  }
  for (int round = 0; round < 4; ++round) try_scale(FittedScale(weights, n, quantized));
  return best;
}

std::string StoreAsInt4(ir::Graph* graph, ir::Node* node, const Layer& layer, const Repair& repair) {
  if (std::string why = Obstacle(*graph, *node, layer); !why.empty()) return why;
  const ir::Value& weights = graph->value(layer.weights);
  const bool is_product = node->code == schema::OpCode::MatMul;
  const std::vector<float> rows =
      Rows(weights, is_product && !node->as<schema::MatMulOptionsT>().transpose_b);
  for (const float w : rows) {
    if (!std::isfinite(w)) return "weights are not finite";
  }
  const auto depth = static_cast<size_t>(layer.weights_per_channel);
  std::vector<int8_t> quantized(rows.size());
  std::vector<float> scales;
  for (size_t row = 0; row < rows.size(); row += depth) {
    const size_t first_scale = scales.size();
    for (size_t k = 0; k < depth; k += kInt4Group) {
      const size_t n = std::min<size_t>(kInt4Group, depth - k);
      scales.push_back(BestInt4Scale(&rows[row + k], n, &quantized[row + k]));
      if (repair.balance) BalanceErrors({&rows[row + k], n, &scales.back(), n, -8, 7, &quantized[row + k]});
    }
    // What is left of the groups adds up over a channel.
    if (repair.balance)
      BalanceErrors({&rows[row], depth, &scales[first_scale], kInt4Group, -8, 7, &quantized[row]});
  }
  ir::Value packed = weights;
  packed.dtype = DType::kInt4;
  packed.data = std::make_shared<const ir::Bytes>(Packed(quantized));
  packed.quantization = {std::move(scales), {}, 0, kInt4Group};
  if (is_product) {
    packed.shape = {layer.channels, layer.weights_per_channel};
    node->as<schema::MatMulOptionsT>().transpose_b = true;
  }
  packed.shape.back() /= 2;
  node->inputs[Layer::kWeights] = graph->AddValue(std::move(packed));
  SetWeightCompute(node, schema::WeightCompute::Float);
  return "";
}

}  // namespace micrort::quantize
