// The mean or the maximum of each channel of an image is a pool over the whole image.

#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

bool ReduceToPool(const Site& site) {
  ir::Node& node = site.node;
  const auto& reduce = node.as<schema::ReduceOptionsT>();
  const bool is_mean = reduce.kind == schema::ReduceKind::Mean;
  if (!is_mean && reduce.kind != schema::ReduceKind::Max) return false;
  const ir::Value& x = site.input(0);
  if (x.dtype != DType::kFloat32 || x.rank() != 4 || reduce.axes != std::vector<int32_t>{1, 2}) return false;
  if (x.shape[1] < 1 || x.shape[2] < 1 || x.shape[3] == ir::kDynamic) return false;

  schema::Pool2DOptionsT pool;
  pool.kind = is_mean ? schema::PoolKind::Average : schema::PoolKind::Max;
  pool.kernel_h = static_cast<int32_t>(x.shape[1]);
  pool.kernel_w = static_cast<int32_t>(x.shape[2]);
  const auto channels = static_cast<int32_t>(x.shape[3]);
  if (reduce.keep_dims) {
    node.code = schema::OpCode::Pool2D;
    node.options.Set(std::move(pool));
    return true;
  }
  const ir::ValueId pooled = site.Build().Add(std::move(pool), {node.inputs[0]}, x.dtype);
  ir::Value& value = site.graph.value(pooled);
  value.shape = {x.shape[0], 1, 1, x.shape[3]};
  value.has_shape = true;
  schema::ReshapeOptionsT reshape;
  reshape.shape = {-2, channels};
  node.code = schema::OpCode::Reshape;
  node.options.Set(std::move(reshape));
  node.inputs = {pooled};
  return true;
}

}  // namespace

Status TurnReduceIntoPool(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::Reduce}, ReduceToPool);
  return Status();
}

}  // namespace micrort::passes
