// Flattening an image that was transposed to [N,C,H,W] for a fully connected layer: the layer's weights are
// reordered instead.

#include <algorithm>

#include "converter/passes/layout/storage_order.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

// Weights [K,N] ([N,K] if transposed) whose K is made of `dims`, in that order: K's parts are reordered by
// `order`.
ir::ValueId ReorderedWeights(ir::Graph& graph, ir::ValueId id, bool transposed,
                             const std::vector<int64_t>& dims, const Order& order) {
  ir::Value weights = graph.value(id);
  const ir::Value as_matrix = weights;
  const int64_t outputs = as_matrix.shape[transposed ? 0 : 1];
  Order expanded_order;
  weights.shape = dims;
  if (transposed) {
    weights.shape.insert(weights.shape.begin(), outputs);
    expanded_order.push_back(0);
  }
  for (int dim : order) expanded_order.push_back(dim + (transposed ? 1 : 0));
  if (!transposed) {
    weights.shape.push_back(outputs);
    expanded_order.push_back(static_cast<int>(dims.size()));
  }
  ir::Value result = as_matrix;
  result.in_source = false;
  result.data = std::make_shared<const ir::Bytes>(ReorderedData(weights, expanded_order));
  return graph.AddValue(std::move(result));
}

// MatMul(Reshape(Transpose(x)), constant), where the Transpose leaves the first dimension in place and the
// Reshape joins all others.
bool ReorderWeightsInstead(const Site& site) {
  ir::Node& node = site.node;
  ir::Node* reshape = site.own_producer(0);
  if (reshape == nullptr || reshape->code != schema::OpCode::Reshape) return false;
  const ir::Node* transpose = site.uses.producer(reshape->inputs[0]);
  if (reshape->has_input(1) || transpose == nullptr || transpose->code != schema::OpCode::Transpose)
    return false;
  const ir::Value& weights = site.input(1);
  const ir::Value& flat = site.input(0);
  const ir::Value& image = site.graph.value(transpose->outputs[0]);
  const Order permutation = transpose->as<schema::TransposeOptionsT>().permutation;
  if (!weights.is_constant() || weights.rank() != 2 || flat.rank() != 2 || permutation[0] != 0) return false;
  if (image.shape[0] != flat.shape[0] && image.shape[0] != ir::kDynamic) return false;
  const std::vector<int64_t> dims(image.shape.begin() + 1, image.shape.end());
  int64_t joined = 1;
  for (int64_t dim : dims) joined *= dim;
  if (std::count(dims.begin(), dims.end(), ir::kDynamic) != 0 || joined != flat.shape[1]) return false;

  Order order = Inverse(permutation);
  order.erase(order.begin());
  for (int& dim : order) --dim;
  const bool transposed = node.as<schema::MatMulOptionsT>().transpose_b;
  node.inputs[1] = ReorderedWeights(site.graph, node.inputs[1], transposed, dims, order);
  reshape->inputs[0] = transpose->inputs[0];
  reshape->as<schema::ReshapeOptionsT>().shape = {-2, static_cast<int32_t>(joined)};
  return true;
}

}  // namespace

Status FoldTransposeIntoWeights(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::MatMul}, ReorderWeightsInstead);
  return Status();
}

}  // namespace micrort::passes
