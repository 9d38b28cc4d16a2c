#include "converter/frontend/torchscript/asked_elements.h"

#include <algorithm>

namespace micrort::frontend::torchscript {

namespace {

const ir::Node* ProducerOf(const ir::Graph& graph, ir::ValueId id) {
  const auto found = std::find_if(graph.nodes.rbegin(), graph.nodes.rend(), [id](const auto& node) {
    return std::find(node->outputs.begin(), node->outputs.end(), id) != node->outputs.end();
  });
  return found == graph.nodes.rend() ? nullptr : found->get();
}

// Unknown, unless it is one integer that follows from sizes.
ir::size::Expr CountOf(const ir::Graph& graph, ir::ValueId id, ir::ShapeInference& inference) {
  const ir::size::SizedTensor sized = inference.SizesOf(graph, id);
  if (sized.is_float || !sized.values || sized.values->size() != 1) return ir::size::Expr::Unknown();
  return (*sized.values)[0].integer();
}

}  // namespace

AskedElements WhatIsAsked(const ir::Graph& graph, ir::ValueId condition, ir::ShapeInference& inference) {
  const ir::Node* const node = ProducerOf(graph, condition);
  if (node == nullptr || node->code != schema::OpCode::Binary) return AskedElements::kNotAsked;
  const schema::BinaryKind kind = node->options.AsBinaryOptions()->kind;
  if (kind != schema::BinaryKind::Greater && kind != schema::BinaryKind::Equal)
    return AskedElements::kNotAsked;
  const ir::size::Expr count = CountOf(graph, node->inputs[0], inference);
  const ir::size::Expr limit = CountOf(graph, node->inputs[1], inference);
  if (count.is_unknown() || count.range().least < 0 || limit.is_unknown() || limit.constant() != 0)
    return AskedElements::kNotAsked;
  return kind == schema::BinaryKind::Greater ? AskedElements::kSome : AskedElements::kNone;
}

}  // namespace micrort::frontend::torchscript
