#include "converter/frontend/onnx/ops/quantized_carrier.h"

#include <algorithm>

namespace micrort::frontend::onnx {

namespace {

using schema::OpCode;

constexpr int kMaxMoves = 256;  // one after the other; each is looked for among all nodes

bool OnlyMoves(const ir::Node& node) {
  switch (node.code) {
    case OpCode::Reshape:
    case OpCode::Transpose:
    case OpCode::Slice:
    case OpCode::Gather:
    case OpCode::Tile:
    case OpCode::Expand:
      return true;
    case OpCode::Pool2D:
      return node.as<schema::Pool2DOptionsT>().kind == schema::PoolKind::Max;
    default:
      return false;
  }
}

// Whether the value means the same to its readers, the later ones of which are told of its quantization.
bool ReadersAgree(const ir::Graph& graph, ir::ValueId id) {
  return std::all_of(graph.nodes.begin(), graph.nodes.end(), [id](const auto& node) {
    const bool reads = std::count(node->inputs.begin(), node->inputs.end(), id) != 0;
    return !reads || node->code == OpCode::Dequantize || OnlyMoves(*node);
  });
}

const ir::Node* ProducerOf(const ir::Graph& graph, ir::ValueId id) {
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    if (std::count((*node)->outputs.begin(), (*node)->outputs.end(), id) != 0) return node->get();
  }
  return nullptr;
}

// `moves`: how many more there may be before the value.
bool Carry(ir::Graph* graph, ir::ValueId id, const ir::Quantization& quantization, int moves) {
  ir::Value& value = graph->value(id);
  if (!value.quantization.empty()) return value.quantization == quantization;
  if (value.is_constant() || !ReadersAgree(*graph, id)) return false;
  if (const ir::Node* producer = ProducerOf(*graph, id); producer != nullptr) {
    // Cast gives bare integers, whatever is said about them.
    const bool gives_integers = producer->code == OpCode::Cast;
    if (!gives_integers && moves == 0) return false;
    if (!gives_integers && (!OnlyMoves(*producer) || quantization.axis >= 0)) return false;
    if (!gives_integers && !Carry(graph, producer->inputs[0], quantization, moves - 1)) return false;
  }
  value.quantization = quantization;
  return true;
}

}  // namespace

bool CarryQuantization(ir::Graph* graph, ir::ValueId id, const ir::Quantization& quantization) {
  return Carry(graph, id, quantization, kMaxMoves);
}

}  // namespace micrort::frontend::onnx
