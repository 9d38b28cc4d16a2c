// A matrix product reads its second operand transposed at no cost.

#include <utility>

#include "converter/passes/layout/storage_order.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

// Swaps the last two dimensions of the second operand, which the product undoes. If the Transpose did only
// that, it is gone. If it also moved others, it now leaves the innermost dimension in place and copies whole
// rows.
bool FoldTranspose(const Site& site) {
  ir::Node* transpose = site.producer(1);
  if (transpose == nullptr || transpose->code != schema::OpCode::Transpose) return false;
  Order permutation = transpose->as<schema::TransposeOptionsT>().permutation;
  const size_t rank = permutation.size();
  if (rank < 2) return false;
  std::swap(permutation[rank - 1], permutation[rank - 2]);
  if (permutation.back() != static_cast<int>(rank) - 1) return false;

  ir::ValueId operand = transpose->inputs[0];
  if (site.input(1).quantization.axis >= 0) return false;
  if (!IsIdentity(permutation)) {
    operand = site.Build().Transpose(operand, permutation);
    site.graph.value(operand).quantization = site.input(1).quantization;
  }
  bool& transpose_b = site.node.as<schema::MatMulOptionsT>().transpose_b;
  transpose_b = !transpose_b;
  site.node.inputs[1] = operand;
  return true;
}

}  // namespace

Status FoldTransposeIntoMatMul(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::MatMul}, FoldTranspose);
  return Status();
}

}  // namespace micrort::passes
