#include "converter/quantize/adjust_weights.h"

#include <algorithm>

#include "converter/quantize/balanced_rounding.h"
#include "converter/quantize/layer.h"

namespace micrort::quantize {
namespace {

// Groups first: what is left of them adds up over a channel.
void BalanceChannels(const WeightGrid& grid) {
  for (size_t c = 0; c < grid.channels; ++c) {
    const float* weights = grid.weights + c * grid.depth;
    const float* scales = grid.scales + c * grid.groups();
    int8_t* quantized = grid.quantized + c * grid.depth;
    for (size_t k = 0; k < grid.depth && grid.group < grid.depth; k += grid.group) {
      const size_t n = std::min(grid.group, grid.depth - k);
      BalanceErrors({weights + k, n, scales + k / grid.group, n, grid.lowest, grid.highest, quantized + k});
    }
    BalanceErrors({weights, grid.depth, scales, grid.group, grid.lowest, grid.highest, quantized});
  }
}

}  // namespace

const observe::InputMoments* MomentsFor(const WeightRepair& tools, const ir::Value& weights) {
  if (tools.moments == nullptr) return nullptr;
  const auto it = tools.moments->find(weights.name);
  return it == tools.moments->end() ? nullptr : &it->second;
}

std::vector<double> AdjustWeights(const WeightGrid& grid, const Repair& repair,
                                  const observe::InputMoments* moments) {
  if (moments != nullptr && repair.rounding) {
    RoundByMoments(grid, *moments);
  } else if (repair.balance) {
    BalanceChannels(grid);
  }
  return moments != nullptr && repair.bias ? MeanErrors(grid, *moments) : std::vector<double>();
}

void TakeOffBias(ir::Graph* graph, ir::Node* node, const std::vector<double>& errors) {
  if (errors.empty() || !node->has_input(Layer::kBias)) return;
  const ir::Value old = graph->value(node->inputs[Layer::kBias]);
  std::vector<float> bias(old.as<float>(), old.as<float>() + old.elements());
  for (size_t c = 0; c < bias.size(); ++c) bias[c] -= static_cast<float>(errors[c]);
  node->inputs[Layer::kBias] = graph->AddConstantOf(old.name, old.shape, bias);
}

}  // namespace micrort::quantize
