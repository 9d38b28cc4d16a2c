#include "converter/ir/source_quantization.h"

#include <algorithm>

#include "converter/ir/op_facts.h"

namespace micrort::ir {

namespace {

constexpr int64_t kMostScales = int64_t{1} << 24;

// The axis of `to` that is axis `axis` of `from`, both the shape of the same elements; -1 if there is none.
int AxisAfterReshape(const std::vector<int64_t>& from, int axis, const std::vector<int64_t>& to) {
  if (static_cast<size_t>(axis) >= from.size()) return -1;
  int64_t before = 1;
  for (int i = 0; i < axis; ++i) before *= from[static_cast<size_t>(i)];
  int64_t outer = 1;
  for (size_t i = 0; i < to.size(); outer *= to[i], ++i) {
    if (outer == before && to[i] == from[static_cast<size_t>(axis)]) return static_cast<int>(i);
  }
  return -1;
}

int AxisAfter(const Graph& graph, const Node& node, int axis) {
  switch (node.code) {
    case schema::OpCode::Transpose: {
      const auto& permutation = node.as<schema::TransposeOptionsT>().permutation;
      const auto at = std::find(permutation.begin(), permutation.end(), axis);
      return at == permutation.end() ? -1 : static_cast<int>(at - permutation.begin());
    }
    case schema::OpCode::Reshape:
      return AxisAfterReshape(graph.value(node.inputs[0]).shape, axis, graph.value(node.outputs[0]).shape);
    default:
      return -1;
  }
}

// How many scales a part of a Concat has along its axis; -1 if its source quantization does not tell.
int64_t ScalesAlong(const Value& part, int axis) {
  const Quantization& q = part.source_quantization;
  if (axis < 0 || axis >= part.rank() || q.empty() || q.group != 0 || (q.axis >= 0 && q.axis != axis))
    return -1;
  const int64_t size = part.shape[static_cast<size_t>(axis)];
  const bool fits = size <= kMostScales && (q.axis < 0 || static_cast<int64_t>(q.scales.size()) == size);
  return size != kDynamic && fits ? size : -1;
}

// Slices along the axis of a Concat keep their scales.
Quantization AfterConcat(const Graph& graph, const Node& node) {
  Quantization result;
  bool centered = true;
  const int stated = node.as<schema::ConcatOptionsT>().axis;
  for (const ValueId id : node.inputs) {
    const Value& part = graph.value(id);
    const Quantization& q = part.source_quantization;
    const int axis = stated < 0 ? stated + part.rank() : stated;
    const int64_t scales = ScalesAlong(part, axis);
    if (scales < 0 || scales > kMostScales - static_cast<int64_t>(result.scales.size())) return {};
    result.axis = axis;
    for (int64_t i = 0; i < scales; ++i) {
      const size_t channel = q.axis < 0 ? 0 : static_cast<size_t>(i);
      result.scales.push_back(q.scales[channel]);
      result.zero_points.push_back(q.zero_points.empty() ? 0 : q.zero_points[channel]);
      centered &= result.zero_points.back() == 0;
    }
  }
  if (centered) result.zero_points.clear();
  return result;
}

}  // namespace

Quantization SourceQuantizationAfter(const Graph& graph, const Node& node) {
  if (node.code == schema::OpCode::Concat) return AfterConcat(graph, node);
  if (MovementOf(graph, node) != Movement::kMoves || OperandOf(node.code, 1) == Operand::kData) return {};
  Quantization result = graph.value(node.inputs[0]).source_quantization;
  if (result.axis < 0) return result;
  // Groups are of what follows each other in a slice: matrices keep that, turned or not.
  const auto is_matrix = [&](ValueId id) { return graph.value(id).rank() == 2; };
  if (result.group != 0 && !(is_matrix(node.inputs[0]) && node.code == schema::OpCode::Transpose)) return {};
  result.axis = AxisAfter(graph, node, result.axis);
  return result.axis < 0 ? Quantization() : result;
}

std::shared_ptr<const std::vector<int32_t>> SourceIntegersAfter(const Graph& graph, const Node& node) {
  return node.code == schema::OpCode::Reshape ? graph.value(node.inputs[0]).source_integers : nullptr;
}

std::shared_ptr<const std::vector<int32_t>> SourceIntegers(const std::vector<int64_t>& integers) {
  const auto fits = [](int64_t v) { return v == static_cast<int32_t>(v); };
  if (!std::all_of(integers.begin(), integers.end(), fits)) return nullptr;
  return std::make_shared<const std::vector<int32_t>>(integers.begin(), integers.end());
}

}  // namespace micrort::ir
