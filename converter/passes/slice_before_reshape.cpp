// A Slice of a reshaped value becomes a Reshape of a sliced one, where the original's elements that remain
// are evenly spaced along one dimension. Channel shuffles that end in splitting the channels thus become
// plain Slices.

#include <algorithm>
#include <optional>

#include "converter/passes/layout/reshape_groups.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

struct SlicedRange {
  int64_t start, end, step;
};

// The only range of a Slice along one static dimension, with 0 <= start < end <= size.
std::optional<SlicedRange> OnlyRange(const ir::Node& slice, const std::vector<int64_t>& shape) {
  const auto& options = slice.as<schema::SliceOptionsT>();
  if (slice.has_input(1) || options.axes.size() != 1) return std::nullopt;
  const int64_t size = shape[static_cast<size_t>(options.axes[0])];
  const SlicedRange range = {options.starts[0], std::min(options.ends[0], size),
                             options.steps.empty() ? 1 : options.steps[0]};
  const bool is_plain =
      range.start >= 0 && range.start < range.end && range.step >= 1 && size != ir::kDynamic;
  return is_plain ? std::make_optional(range) : std::nullopt;
}

// In a dimension that the reshape splits into `parts`, the elements with part number `position` in `range`.
std::optional<SlicedRange> RangeBeforeSplit(const std::vector<int64_t>& parts, size_t position,
                                            const SlicedRange& range) {
  int64_t inner = 1;
  for (size_t i = position + 1; i < parts.size(); ++i) inner *= parts[i];
  if (position == 0 && range.step == 1) return SlicedRange{range.start * inner, range.end * inner, 1};
  int64_t all = 1;
  for (int64_t part : parts) all *= part;
  const bool takes_one = range.end - range.start <= range.step;
  if (position + 1 == parts.size() && takes_one) return SlicedRange{range.start, all, parts[position]};
  return std::nullopt;
}

ir::ValueId SliceOf(const Site& site, ir::ValueId x, int axis, const SlicedRange& range) {
  schema::SliceOptionsT options;
  options.starts = {range.start};
  options.ends = {range.end};
  options.axes = {axis};
  options.steps = {range.step};
  const ir::Value& whole = site.graph.value(x);
  const ir::ValueId id = site.Build().Add(std::move(options), {x}, whole.dtype);
  ir::Value& sliced = site.graph.value(id);
  sliced.has_shape = true;
  sliced.shape = whole.shape;
  sliced.shape[static_cast<size_t>(axis)] = (range.end - range.start + range.step - 1) / range.step;
  sliced.dim_names = whole.dim_names;
  sliced.quantization = whole.quantization;
  return id;
}

bool SliceBeforeReshape(const Site& site) {
  ir::Node& node = site.node;
  const ir::Node* reshape = site.producer(0);
  if (reshape == nullptr || reshape->code != schema::OpCode::Reshape || !site.output().has_shape)
    return false;
  const auto groups = ReshapeGroups::Find(site.graph, *reshape);
  const std::vector<int64_t>& shape = site.input(0).shape;
  const auto range = OnlyRange(node, shape);
  if (!groups || !range) return false;
  const int axis = node.as<schema::SliceOptionsT>().axes[0];
  const ReshapeGroup* group = groups->OfOutput(axis);
  if (group == nullptr || group->input.size() != 1) return false;

  std::vector<int64_t> parts;
  for (int dim : group->output) parts.push_back(shape[static_cast<size_t>(dim)]);
  if (std::count(parts.begin(), parts.end(), ir::kDynamic) != 0) return false;
  const auto position = std::find(group->output.begin(), group->output.end(), axis) - group->output.begin();
  const auto before = RangeBeforeSplit(parts, static_cast<size_t>(position), *range);
  if (!before) return false;

  const ir::ValueId sliced = SliceOf(site, reshape->inputs[0], group->input[0], *before);
  const std::vector<int64_t> result = site.output().shape;
  schema::ReshapeOptionsT options;
  options.shape =
      groups->Codes(IdentityOrder(site.graph.value(sliced).shape.size()), IdentityOrder(result.size()));
  options.shape[static_cast<size_t>(axis)] = static_cast<int32_t>(result[static_cast<size_t>(axis)]);
  node.code = schema::OpCode::Reshape;
  node.options.Set(std::move(options));
  node.inputs = {sliced};
  return true;
}

}  // namespace

Status MoveSliceBeforeReshape(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::Slice}, SliceBeforeReshape);
  return Status();
}

}  // namespace micrort::passes
