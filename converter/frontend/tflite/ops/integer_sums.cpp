#include "converter/frontend/tflite/ops/integer_sums.h"

#include <utility>

#include "converter/frontend/tflite/subgraph_importer.h"

namespace micrort::frontend::tflite {

bool AreByteWeights(const ir::Value& weights) {
  constexpr int64_t kMostSummed = int64_t{1} << 15;  // of products of 255 and 128, with a bias beside them
  const ir::Quantization& q = weights.quantization;
  return weights.is_constant() && weights.dtype == DType::kInt8 && weights.rank() == 2 &&
         weights.shape[1] <= kMostSummed && q.scales.size() == 1 && q.zero_points.empty();
}

ir::ValueId ByteSums(ir::Builder& b, ir::ValueId x, ir::ValueId weights, ir::ValueId bias) {
  schema::MatMulOptionsT product;
  product.transpose_b = true;
  return b.Add(std::move(product), ir::Present({x, weights, bias}), DType::kInt32);
}

ir::ValueId Narrowed(ir::Builder& b, ir::ValueId sums, float scale, const StoredForm& to) {
  if (!b.status().ok()) return sums;
  b.graph().value(sums).quantization = {{scale}, {}};
  return b.AddFixed(schema::UnaryOptionsT(), {sums}, to.dtype, to.quantization);
}

ir::ValueId Moved(ir::Builder& b, ir::ValueId id, ir::Quantization q) {
  if (b.status().ok()) b.graph().value(id).quantization = std::move(q);
  return id;
}

ir::ValueId Relabelled(ir::Builder& b, ir::ValueId integers, const ir::Quantization& q) {
  if (!b.status().ok()) return integers;
  const ir::ValueId y = b.Add(schema::CastOptionsT(), {integers}, b.graph().value(integers).dtype);
  if (b.status().ok()) b.graph().value(y).quantization = q;
  return y;
}

Result<ir::ValueId> ReadStoredVariable(OpContext& c, size_t i) {
  return c.subgraph.variables().Read(VariableKey(c.subgraph.index(), c.op.input_index(i)));
}

Status AssignStoredVariable(OpContext& c, size_t i, ir::ValueId id) {
  MICRORT_RETURN_IF_ERROR(c.build.status());
  c.subgraph.variables().Assign(VariableKey(c.subgraph.index(), c.op.input_index(i)), id);
  return Status();
}

}  // namespace micrort::frontend::tflite
