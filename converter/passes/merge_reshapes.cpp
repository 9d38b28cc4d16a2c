// A Reshape of a Reshape is one Reshape.

#include <algorithm>
#include <optional>

#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

const std::vector<int32_t>& CodesOf(const ir::Node& reshape) {
  return reshape.as<schema::ReshapeOptionsT>().shape;
}

// Codes that make the outer result straight from the inner input. A dimension that the outer copies from
// between is what the inner says of it; if that is "inferred", it can be inferred here too, unless another
// one is.
std::optional<std::vector<int32_t>> Combine(const Site& site, const ir::Node& inner) {
  const std::vector<int64_t>& result = site.output().shape;
  std::vector<int32_t> codes = CodesOf(site.node);
  if (codes.size() != result.size()) return std::nullopt;
  for (size_t i = 0; i < codes.size(); ++i) {
    if (result[i] != ir::kDynamic) codes[i] = static_cast<int32_t>(result[i]);
    if (codes[i] <= -2) codes[i] = CodesOf(inner)[static_cast<size_t>(-2 - codes[i])];
  }
  return std::count(codes.begin(), codes.end(), -1) <= 1 ? std::make_optional(codes) : std::nullopt;
}

bool MergeReshape(const Site& site) {
  const ir::Node* inner = site.producer(0);
  if (inner == nullptr || inner->code != schema::OpCode::Reshape || site.node.has_input(1) ||
      inner->has_input(1))
    return false;
  if (!site.output().has_shape) return false;
  const auto codes = Combine(site, *inner);
  if (!codes) return false;
  site.node.as<schema::ReshapeOptionsT>().shape = *codes;
  site.node.inputs[0] = inner->inputs[0];
  return true;
}

}  // namespace

Status MergeReshapes(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::Reshape}, MergeReshape);
  return Status();
}

}  // namespace micrort::passes
