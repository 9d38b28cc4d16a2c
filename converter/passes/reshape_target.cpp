// A Reshape to a shape that is computed from shapes says it in its options, where it follows from the input's
// dimensions: other passes can then see through it, and the computation goes.

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "converter/ir/build.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

std::string NameOf(const ir::Value& value, size_t dim) {
  return dim < value.dim_names.size() ? value.dim_names[dim] : std::string();
}

// The input dimension that is the same symbol.
std::optional<size_t> SameSymbol(const ir::Value& x, const std::string& name) {
  for (size_t i = 0; i < x.shape.size() && !name.empty(); ++i) {
    if (x.shape[i] == ir::kDynamic && NameOf(x, i) == name) return i;
  }
  return std::nullopt;
}

// ReshapeOptions.shape; empty if it cannot say the output's shape. One dimension may follow from the number
// of elements, unless a dimension is 0.
std::vector<int32_t> TargetOf(const ir::Value& x, const ir::Value& y) {
  const auto dynamic = std::count(y.shape.begin(), y.shape.end(), ir::kDynamic);
  std::vector<int32_t> target;
  int inferred = 0;
  for (size_t d = 0; d < y.shape.size(); ++d) {
    if (y.shape[d] == 0 || y.shape[d] > std::numeric_limits<int32_t>::max()) return {};
    if (y.shape[d] != ir::kDynamic) {
      target.push_back(static_cast<int32_t>(y.shape[d]));
      continue;
    }
    const auto copied = dynamic > 1 ? SameSymbol(x, NameOf(y, d)) : std::nullopt;
    inferred += !copied;
    target.push_back(copied ? ir::CopyDim(static_cast<int>(*copied)) : ir::kInferDim);
  }
  return inferred <= 1 ? target : std::vector<int32_t>();
}

bool StateTarget(const Site& site) {
  ir::Node& node = site.node;
  if (!node.has_input(1)) return false;
  const ir::Value& y = site.output();
  if (!y.has_shape || y.shape.empty() || !site.input(0).has_shape) return false;
  std::vector<int32_t> target = TargetOf(site.input(0), y);
  if (target.empty()) return false;
  schema::ReshapeOptionsT options;
  options.shape = std::move(target);
  node.options.Set(std::move(options));
  node.inputs.resize(1);
  return true;
}

}  // namespace

Status StateReshapeTargets(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::Reshape}, StateTarget);
  return Status();
}

}  // namespace micrort::passes
