#include "converter/qdq/given_layers.h"

#include <algorithm>

#include "runtime/ops/op_traits.h"

namespace micrort::qdq {

int CountInt8Layers(const ir::Graph& graph) {
  int count = 0;
  for (const auto& node : graph.nodes) {
    count += IsLayer(node->code) && graph.value(node->inputs[0]).dtype == DType::kInt8;
  }
  return count;
}

bool HasAsymmetricWeights(const ir::Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
    if (!IsLayer(node->code)) return false;
    const std::vector<int32_t>& zero_points = graph.value(node->inputs[1]).source_quantization.zero_points;
    return std::any_of(zero_points.begin(), zero_points.end(), [](int32_t z) { return z != 0; });
  });
}

}  // namespace micrort::qdq
