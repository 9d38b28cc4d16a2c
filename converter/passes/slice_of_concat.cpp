// A Slice that lies within one part of a concatenation reads that part.

#include <algorithm>

#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

bool SliceOfConcat(const Site& site) {
  ir::Node& node = site.node;
  const ir::Node* concat = site.producer(0);
  if (node.has_input(1) || concat == nullptr) return false;
  if (concat->code != schema::OpCode::Concat) return false;
  auto& slice = node.as<schema::SliceOptionsT>();
  const int axis = concat->as<schema::ConcatOptionsT>().axis;
  const auto found = std::find(slice.axes.begin(), slice.axes.end(), axis);
  const int64_t size = site.input(0).shape[static_cast<size_t>(axis)];
  if (found == slice.axes.end() || size == ir::kDynamic) return false;
  const auto at = static_cast<size_t>(found - slice.axes.begin());
  const int64_t start = slice.starts[at];
  const int64_t end = std::min(slice.ends[at], size);
  if (start < 0 || end <= start || (!slice.steps.empty() && slice.steps[at] < 1)) return false;

  int64_t part_start = 0;
  for (ir::ValueId part : concat->inputs) {
    const ir::Value& value = site.graph.value(part);
    if (value.quantization == site.input(0).quantization && part_start <= start &&
        end <= part_start + value.shape[static_cast<size_t>(axis)]) {
      node.inputs[0] = part;
      slice.starts[at] = start - part_start;
      slice.ends[at] = end - part_start;
      return true;
    }
    part_start += value.shape[static_cast<size_t>(axis)];
  }
  return false;
}

}  // namespace

Status ReadPartOfConcat(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::Slice}, SliceOfConcat);
  return Status();
}

}  // namespace micrort::passes
