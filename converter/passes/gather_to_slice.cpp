// A Gather of evenly spaced constant indices is a Slice; of a single scalar index, a Slice without its
// dimension.

#include <optional>

#include "converter/passes/match.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

struct Range {
  int64_t start;
  int64_t end;
  int64_t step;
};

// Indices that grow evenly, as a slice of `size` elements; negative ones count from the end.
std::optional<Range> RangeOf(std::vector<int64_t> indices, int64_t size) {
  if (indices.empty() || size == ir::kDynamic) return std::nullopt;
  for (int64_t& index : indices) {
    if (index < 0) index += size;
    // A slice would silently be shorter where an index is outside; a gather reports it.
    if (index < 0 || index >= size) return std::nullopt;
  }
  const int64_t step = indices.size() > 1 ? indices[1] - indices[0] : 1;
  if (step < 1) return std::nullopt;
  for (size_t i = 1; i < indices.size(); ++i) {
    if (indices[i] - indices[i - 1] != step) return std::nullopt;
  }
  return Range{indices[0], indices.back() + 1, step};
}

std::vector<int32_t> ShapeWithout(const std::vector<int64_t>& shape, int axis) {
  std::vector<int32_t> codes;
  for (int i = 0; i < static_cast<int>(shape.size()); ++i) {
    const int64_t dim = shape[static_cast<size_t>(i)];
    if (i != axis) codes.push_back(dim == ir::kDynamic ? -2 - i : static_cast<int32_t>(dim));
  }
  return codes;
}

bool GatherToSlice(const Site& site) {
  ir::Node& node = site.node;
  const ir::Value& data = site.input(0);
  const ir::Value& indices = site.input(1);
  const int axis = node.as<schema::GatherOptionsT>().axis;
  const bool is_scalar = indices.rank() == 0;
  const auto values = Integers(indices);
  if (!values || !data.has_shape || indices.rank() > 1 || (is_scalar && data.rank() == 1)) return false;
  const auto range = RangeOf(*values, data.shape[static_cast<size_t>(axis)]);
  if (!range) return false;

  schema::SliceOptionsT slice;
  slice.starts = {range->start};
  slice.ends = {range->end};
  slice.axes = {axis};
  slice.steps = {range->step};
  const ir::ValueId x = node.inputs[0];
  if (!is_scalar) {
    node.code = schema::OpCode::Slice;
    node.options.Set(std::move(slice));
    node.inputs = {x};
    return true;
  }
  schema::ReshapeOptionsT reshape;
  reshape.shape = ShapeWithout(data.shape, axis);
  const ir::ValueId sliced = site.Build().Add(std::move(slice), {x}, data.dtype);
  ir::Value& value = site.graph.value(sliced);
  value.quantization = data.quantization;
  value.shape = data.shape;
  value.shape[static_cast<size_t>(axis)] = 1;
  value.has_shape = true;
  node.code = schema::OpCode::Reshape;
  node.options.Set(std::move(reshape));
  node.inputs = {sliced};
  return true;
}

}  // namespace

Status TurnGatherIntoSlice(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::Gather}, GatherToSlice);
  return Status();
}

}  // namespace micrort::passes
