// A channel shuffle behind a Concat, [g * c] → [g, c] → [c, g], becomes a Concat of single elements: the
// parts are written where the shuffle would have moved them.

#include <algorithm>
#include <optional>

#include "converter/passes/layout/reshape_groups.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

using schema::OpCode;

// The dimension that a Transpose swaps with the next one, if it does nothing else.
std::optional<size_t> SwappedDim(const ir::Node& node) {
  Order permutation = node.as<schema::TransposeOptionsT>().permutation;
  for (size_t i = 0; i + 1 < permutation.size(); ++i) {
    if (permutation[i] == static_cast<int>(i)) continue;
    std::swap(permutation[i], permutation[i + 1]);
    return IsIdentity(permutation) ? std::make_optional(i) : std::nullopt;
  }
  return std::nullopt;
}

// Whether the reshape splits dimension `axis` into `dim` and the next one, and nothing else.
bool Splits(const ReshapeGroups& groups, int axis, size_t dim) {
  const ReshapeGroup* group = groups.OfOutput(static_cast<int>(dim));
  const auto first = static_cast<int>(dim);
  return group != nullptr && group->input == std::vector<int>{axis} &&
         group->output == std::vector<int>{first, first + 1};
}

bool InterleaveConcat(const Site& site) {
  ir::Node& node = site.node;
  const auto dim = SwappedDim(node);
  const ir::Node* reshape = dim ? site.producer(0) : nullptr;
  if (reshape == nullptr || reshape->code != OpCode::Reshape) return false;
  const ir::Node* concat = site.uses.producer(reshape->inputs[0]);
  if (concat == nullptr || concat->code != OpCode::Concat) return false;
  const int axis = concat->as<schema::ConcatOptionsT>().axis;
  const auto groups = ReshapeGroups::Find(site.graph, *reshape);
  const std::vector<int64_t> split = site.input(0).shape;
  if (!groups || !Splits(*groups, axis, *dim)) return false;
  if (split[*dim] != static_cast<int64_t>(concat->inputs.size())) return false;
  const auto has_part_size = [&](ir::ValueId id) {
    return site.graph.value(id).shape[static_cast<size_t>(axis)] == split[*dim + 1];
  };
  if (!std::all_of(concat->inputs.begin(), concat->inputs.end(), has_part_size)) return false;

  std::vector<int32_t> shape = groups->Codes(IdentityOrder(site.graph.value(reshape->inputs[0]).shape.size()),
                                             node.as<schema::TransposeOptionsT>().permutation);
  shape[*dim + 1] = 1;
  std::vector<ir::ValueId> parts;
  for (const ir::ValueId part : concat->inputs) parts.push_back(site.Build().Reshape(part, shape));
  schema::ConcatOptionsT options;
  options.axis = static_cast<int32_t>(*dim) + 1;
  node.code = OpCode::Concat;
  node.options.Set(std::move(options));
  node.inputs = std::move(parts);
  return true;
}

}  // namespace

Status InterleaveConcats(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {OpCode::Transpose}, InterleaveConcat);
  return Status();
}

}  // namespace micrort::passes
