// A matrix product reads its second operand transposed at no cost.

#include <utility>

#include "converter/passes/layout/storage_order.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

bool SwapsLastTwo(const ir::Node& node) {
  if (node.code != schema::OpCode::Transpose) return false;
  Order permutation = node.as<schema::TransposeOptionsT>().permutation;
  const size_t rank = permutation.size();
  if (rank < 2) return false;
  std::swap(permutation[rank - 1], permutation[rank - 2]);
  return IsIdentity(permutation);
}

bool FoldTranspose(const Site& site) {
  const ir::Node* transpose = site.producer(1);
  if (site.node.code != schema::OpCode::MatMul || transpose == nullptr || !SwapsLastTwo(*transpose))
    return false;
  bool& transpose_b = site.node.as<schema::MatMulOptionsT>().transpose_b;
  transpose_b = !transpose_b;
  site.node.inputs[1] = transpose->inputs[0];
  return true;
}

}  // namespace

Status FoldTransposeIntoMatMul(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, FoldTranspose);
  return Status();
}

}  // namespace micrort::passes
