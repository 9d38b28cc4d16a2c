#include "converter/qdq/given_layers.h"

#include <algorithm>

namespace micrort::qdq {
namespace {

bool IsLayer(schema::OpCode code) {
  return code == schema::OpCode::Conv2D || code == schema::OpCode::DepthwiseConv2D ||
         code == schema::OpCode::ConvTranspose2D || code == schema::OpCode::MatMul;
}

}  // namespace

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
    const std::vector<int32_t>& zero_points = graph.value(node->inputs[1]).grid.zero_points;
    return std::any_of(zero_points.begin(), zero_points.end(), [](int32_t z) { return z != 0; });
  });
}

}  // namespace micrort::qdq
