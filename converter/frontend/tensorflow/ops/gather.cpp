// Picking and placing by indices.

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

Status ImportGather(OpContext& c) { return c.Return(c.build.Gather(c.input(0), c.input(1), 0)); }

Status ImportGatherV2(OpContext& c) {
  int64_t axis = 0;
  int index = 0, batch_dims = 0;
  MICRORT_RETURN_IF_ERROR(c.ConstantInteger(2, &axis));
  MICRORT_RETURN_IF_ERROR(c.Axis(axis, c.rank(), &index));
  MICRORT_RETURN_IF_ERROR(ToInt32(c.Int("batch_dims", 0), "batch_dims", &batch_dims));
  if (batch_dims == 0) return c.Return(c.build.Gather(c.input(0), c.input(1), index));
  if (batch_dims != index || batch_dims > c.rank(1)) {
    return MICRORT_ERROR(kUnsupported, "batch_dims %d with axis %d", batch_dims, index);
  }
  // Each index becomes a list of one, as GatherND reads them.
  std::vector<int32_t> shape;
  for (int i = 0; i < c.rank(1); ++i) shape.push_back(CopyDim(i));
  shape.push_back(1);
  schema::GatherNDOptionsT options;
  options.batch_dims = batch_dims;
  return c.Return(c.build.Add(options, {c.input(0), c.build.Reshape(c.input(1), shape)}));
}

Status ImportGatherNd(OpContext& c) {
  return c.Return(c.build.Add(schema::GatherNDOptionsT(), {c.input(0), c.input(1)}));
}

// inputs: indices, updates, shape; places that several updates reach get their sum.
Status ImportScatterNd(OpContext& c) {
  schema::ScatterNDOptionsT options;
  options.reduction = schema::ScatterReduction::Add;
  const ir::ValueId zero = c.Scalar(c.x(1).dtype, 0);
  const ir::ValueId zeros = c.build.Add(schema::ExpandOptionsT(), {zero, c.AsInt64(c.input(2))});
  return c.Return(c.build.Add(options, {zeros, c.input(0), c.input(1)}));
}

template <schema::ScatterReduction reduction>
Status ImportTensorScatter(OpContext& c) {
  schema::ScatterNDOptionsT options;
  options.reduction = reduction;
  return c.Return(c.build.Add(options, {c.input(0), c.input(1), c.input(2)}));
}

}  // namespace

Span<const OpImporter> GatherOps() {
  using schema::ScatterReduction;
  static constexpr OpImporter kImporters[] = {
      {"Gather", 2, 2, ImportGather},
      {"GatherNd", 2, 2, ImportGatherNd},
      {"GatherV2", 3, 3, ImportGatherV2, "an axis that is not constant, or not batch_dims where that is set"},
      {"ScatterNd", 3, 3, ImportScatterNd},
      {"TensorScatterAdd", 3, 3, ImportTensorScatter<ScatterReduction::Add>},
      {"TensorScatterMax", 3, 3, ImportTensorScatter<ScatterReduction::Max>},
      {"TensorScatterMin", 3, 3, ImportTensorScatter<ScatterReduction::Min>},
      {"TensorScatterUpdate", 3, 3, ImportTensorScatter<ScatterReduction::None>},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tensorflow
