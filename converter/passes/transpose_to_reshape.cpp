// A Transpose that moves only dimensions of size 1 is a Reshape, which needs no copy.

#include "converter/passes/layout/storage_order.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

bool TransposeToReshape(const Site& site) {
  ir::Node& node = site.node;
  if (!site.input(0).has_shape) return false;
  const std::vector<int64_t>& shape = site.input(0).shape;
  const Order permutation = node.as<schema::TransposeOptionsT>().permutation;
  if (!SameMemory(shape, permutation, IdentityOrder(shape.size()))) return false;
  schema::ReshapeOptionsT reshape;
  for (int dim : permutation) {
    const int64_t size = shape[static_cast<size_t>(dim)];
    reshape.shape.push_back(size == ir::kDynamic ? -2 - dim : static_cast<int32_t>(size));
  }
  node.code = schema::OpCode::Reshape;
  node.options.Set(std::move(reshape));
  return true;
}

}  // namespace

Status TurnTransposeIntoReshape(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::Transpose}, TransposeToReshape);
  return Status();
}

}  // namespace micrort::passes
