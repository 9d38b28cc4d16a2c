#include "converter/qdq/given_layers.h"

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

}  // namespace micrort::qdq
