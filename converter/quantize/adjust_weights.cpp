#include "converter/quantize/adjust_weights.h"

#include <algorithm>

#include "converter/quantize/balanced_rounding.h"
#include "converter/quantize/layer.h"

namespace micrort::quantize {
namespace {

// Groups first: what is left of them adds up over a channel.
void BalanceChannels(const RoundedLayer& rounded) {
  for (size_t c = 0; c < rounded.channels; ++c) {
    const float* weights = rounded.weights + c * rounded.depth;
    const float* scales = rounded.scales + c * rounded.groups();
    int8_t* quantized = rounded.quantized + c * rounded.depth;
    for (size_t k = 0; k < rounded.depth && rounded.group < rounded.depth; k += rounded.group) {
      const size_t n = std::min(rounded.group, rounded.depth - k);
      BalanceErrors(
          {weights + k, n, scales + k / rounded.group, n, rounded.lowest, rounded.highest, quantized + k});
    }
    BalanceErrors(
        {weights, rounded.depth, scales, rounded.group, rounded.lowest, rounded.highest, quantized});
  }
}

}  // namespace

const observe::InputMoments* MomentsFor(const WeightCorrection& tools, const ir::Value& weights) {
  if (tools.moments == nullptr) return nullptr;
  const auto it = tools.moments->find(weights.name);
  return it == tools.moments->end() ? nullptr : &it->second;
}

std::vector<double> AdjustWeights(const RoundedLayer& rounded, const PtqCorrection& correction,
                                  const observe::InputMoments* moments) {
  if (moments != nullptr && correction.rounding) {
    RoundByMoments(rounded, *moments);
  } else if (correction.balance) {
    BalanceChannels(rounded);
  }
  return moments != nullptr && correction.bias ? MeanErrors(rounded, *moments) : std::vector<double>();
}

void TakeOffBias(ir::Graph* graph, ir::Node* node, const std::vector<double>& errors) {
  if (errors.empty() || !node->has_input(Layer::kBias)) return;
  const ir::Value old = graph->value(node->inputs[Layer::kBias]);
  std::vector<float> bias(old.as<float>(), old.as<float>() + old.elements());
  for (size_t c = 0; c < bias.size(); ++c) bias[c] -= static_cast<float>(errors[c]);
  node->inputs[Layer::kBias] = graph->AddConstantOf(old.name, old.shape, bias);
}

}  // namespace micrort::quantize
