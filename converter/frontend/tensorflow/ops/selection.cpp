// The largest elements, and the best boxes.

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

// Along the last dimension; equal ones in their order.
Status ImportTopK(OpContext& c) {
  if (c.rank() < 1) return MICRORT_ERROR(kInvalidModel, "of a scalar");
  schema::TopKOptionsT options;
  options.axis = c.rank() - 1;
  ir::ValueId k = c.input_count() > 1 ? c.AsInt64(c.input(1)) : c.build.Integers({c.Int("k", 0)});
  if (c.input_count() > 1 && c.rank(1) == 0) k = c.build.Reshape(k, {1});
  const std::vector<ir::ValueId> outputs = c.build.AddMany(options, {c.input(0), k}, 2);
  DType type = DType::kUnknown;
  MICRORT_RETURN_IF_ERROR(c.Type("index_type", DType::kInt32, &type));
  c.SetOutput(0, outputs[0]);
  c.SetOutput(1, type == DType::kInt64 ? outputs[1] : c.build.Cast(outputs[1], type));
  return c.build.status();
}

// inputs: boxes [B,4] as y1, x1, y2, x2; scores [B]; how many at most; overlap and least score.
Status ImportNonMaxSuppression(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 2));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 1));
  const ir::ValueId boxes = c.build.Reshape(c.input(0), {1, CopyDim(0), 4});
  const ir::ValueId scores = c.build.Reshape(c.input(1), {1, 1, CopyDim(0)});
  std::vector<ir::ValueId> inputs = {boxes, scores, c.AsInt64(c.input(2))};
  for (size_t i = 3; i < c.input_count(); ++i) inputs.push_back(c.input(i));
  const ir::ValueId selected = c.build.Add(schema::NonMaxSuppressionOptionsT(), inputs);
  const ir::ValueId column = c.build.Slice(selected, 1, 2, 3);
  return c.Return(c.build.Cast(c.build.Reshape(column, {kInferDim}), DType::kInt32));
}

}  // namespace

Span<const OpImporter> SelectionOps() {
  static constexpr OpImporter kImporters[] = {
      {"NonMaxSuppressionV2", 4, 4, ImportNonMaxSuppression},
      {"NonMaxSuppressionV3", 5, 5, ImportNonMaxSuppression},
      {"TopK", 1, 1, ImportTopK},
      {"TopKV2", 2, 2, ImportTopK},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tensorflow
