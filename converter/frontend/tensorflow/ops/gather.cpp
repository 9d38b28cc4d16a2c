// Picking and placing by indices.

#include "converter/lower/gather.h"

#include <algorithm>

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

Status ImportGather(OpContext& c) { return c.Return(c.build.Gather(c.input(0), c.input(1), 0)); }

Status ImportGatherV2(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int index, c.ConstantAxis(2, c.rank()));
  MICRORT_ASSIGN_OR_RETURN(int batch_dims, c.Axis(c.Int("batch_dims", 0), c.rank(1) + 1));
  if (c.Int("batch_dims", 0) < 0) --batch_dims;  // counted from the end of the indices' dimensions
  if (batch_dims <= 0) return c.Return(c.build.Gather(c.input(0), c.input(1), index));
  if (batch_dims > index || batch_dims > c.rank(1))
    return Invalid("batch_dims {} with axis {}", batch_dims, index);
  return c.Return(lower::GatherInBatches(c.build, c.input(0), c.input(1), index, batch_dims));
}

// inputs: what a variable holds, indices.
Status ImportResourceGather(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int batch_dims,
                           c.Axis(c.Int("batch_dims", 0), std::min(c.rank(), c.rank(1) + 1)));
  if (batch_dims == 0) return c.Return(c.build.Gather(c.input(0), c.input(1), 0));
  return c.Return(lower::GatherInBatches(c.build, c.input(0), c.input(1), batch_dims, batch_dims));
}

// No operator subtracts in place: what is added is negative.
Status ImportTensorScatterSub(OpContext& c) {
  const ir::ValueId minus = c.build.Neg(c.input(2));
  return c.Return(c.build.ScatterND({c.input(0), c.input(1), minus}, schema::ScatterReduction::Add));
}

Status ImportGatherNd(OpContext& c) {
  return c.Return(c.build.Add(schema::GatherNDOptionsT(), {c.input(0), c.input(1)}));
}

// inputs: indices, updates, shape; places that several updates reach get their sum.
Status ImportScatterNd(OpContext& c) {
  const ir::ValueId zero = c.Scalar(c.x(1).dtype, 0);
  const ir::ValueId zeros = c.build.Expand({zero, c.AsInt64(c.input(2))});
  return c.Return(c.build.ScatterND({zeros, c.input(0), c.input(1)}, schema::ScatterReduction::Add));
}

template <schema::ScatterReduction reduction>
Status ImportTensorScatter(OpContext& c) {
  return c.Return(c.build.ScatterND({c.input(0), c.input(1), c.input(2)}, reduction));
}

using schema::ScatterReduction;

}  // namespace

const ImporterList GatherOps = {
    {"Gather", 2, 2, ImportGather},
    {"GatherNd", 2, 2, ImportGatherNd},
    {"GatherV2", 3, 3, ImportGatherV2, "an axis that is not constant"},
    {"ResourceGather", 2, 2, ImportResourceGather},
    {"ResourceGatherNd", 2, 2, ImportGatherNd},
    {"ScatterNd", 3, 3, ImportScatterNd},
    {"TensorScatterAdd", 3, 3, ImportTensorScatter<ScatterReduction::Add>},
    {"TensorScatterMax", 3, 3, ImportTensorScatter<ScatterReduction::Max>},
    {"TensorScatterMin", 3, 3, ImportTensorScatter<ScatterReduction::Min>},
    {"TensorScatterSub", 3, 3, ImportTensorScatterSub},
    {"TensorScatterUpdate", 3, 3, ImportTensorScatter<ScatterReduction::None>},
};

}  // namespace micrort::frontend::tensorflow
