#include "converter/quantize/rotary_tables.h"

#include <algorithm>
#include <cmath>

namespace micrort::quantize {
namespace {

bool TurnsNothingAtFirst(const ir::Value& table) {
  const float* const begin = table.as<float>();
  const float* const first_end = begin + table.elements() / table.shape[0];
  const float first = *begin;
  if (first < 0 || !std::all_of(begin, first_end, [first](float x) { return x == first; })) return false;
  const auto is_cosine = [first](float x) { return std::fabs(x) <= first; };
  return first == 0 || std::all_of(first_end, begin + table.elements(), is_cosine);
}

bool MovesElements(schema::OpCode code) {
  switch (code) {
    case schema::OpCode::Reshape:
    case schema::OpCode::Transpose:
    case schema::OpCode::Slice:
    case schema::OpCode::Concat:
    case schema::OpCode::Expand:
      return true;
    default:
      return false;
  }
}

bool MultipliesComputed(const ir::Graph& graph, const ir::Node& node) {
  return node.code == schema::OpCode::Binary &&
         node.as<schema::BinaryOptionsT>().kind == schema::BinaryKind::Mul &&
         std::none_of(node.inputs.begin(), node.inputs.end(),
                      [&](ir::ValueId id) { return graph.value(id).is_constant(); });
}

}  // namespace

bool HoldsRotations(const ir::Graph& graph, ir::ValueId table, const std::vector<ir::Node*>& gathers) {
  if (!TurnsNothingAtFirst(graph.value(table))) return false;
  std::vector<bool> is_row(graph.value_count(), false);
  for (const ir::Node* gather : gathers) is_row[static_cast<size_t>(gather->outputs[0])] = true;
  for (const auto& node : graph.nodes) {
    const bool reads = std::any_of(node->inputs.begin(), node->inputs.end(), [&](ir::ValueId id) {
      return id != ir::kNoValue && is_row[static_cast<size_t>(id)];
    });
    if (!reads) continue;
    if (MultipliesComputed(graph, *node)) return true;
    if (MovesElements(node->code)) is_row[static_cast<size_t>(node->outputs[0])] = true;
  }
  return false;
}

}  // namespace micrort::quantize
