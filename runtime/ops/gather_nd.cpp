// GatherND: blocks of its first input, which tuples of indices pick.

#include "kernels/index/gather_nd.h"

#include "micrort/op_resolver.h"
#include "runtime/ops/index_operand.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace gather_nd_op {
namespace {

struct State {
  int batch_dims;
  GatherNDCall call;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::GatherNDOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  if (options->batch_dims() < 0) {
    return MICRORT_ERROR(kInvalidModel, "batch_dims is %d", options->batch_dims());
  }
  static_cast<State*>(state)->batch_dims = options->batch_dims();
  return Status();
}

Status CheckShapes(const Shape& data, const Shape& indices, int batch_dims) {
  bool fits = indices.rank > batch_dims && data.rank >= batch_dims &&
              indices[indices.rank - 1] <= data.rank - batch_dims;
  for (int d = 0; fits && d < batch_dims; ++d) fits = data[d] == indices[d];
  if (fits) return Status();
  return MICRORT_ERROR(kInvalidModel,
                       "indices of shape %s do not fit data of shape %s with %d batch dimensions",
                       ShapeString(indices).c_str(), ShapeString(data).c_str(), batch_dims);
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(2, 2, 1));
  State& s = context.state<State>();
  const Shape& data = context.input(0).shape;
  const Shape& indices = context.input(1).shape;
  MICRORT_RETURN_IF_ERROR(ExpectIndices(context.input(1)));
  MICRORT_RETURN_IF_ERROR(CheckShapes(data, indices, s.batch_dims));
  const int first_block_dim = s.batch_dims + static_cast<int>(indices[indices.rank - 1]);
  if (indices.rank - 1 + data.rank - first_block_dim > kMaxRank) {
    return MICRORT_ERROR(kUnsupported, "the output has more than %d dimensions", kMaxRank);
  }
  Shape shape = indices;
  --shape.rank;
  for (int d = first_block_dim; d < data.rank; ++d) shape[shape.rank++] = data[d];
  s.call = {PlanTupleIndex(indices, data, s.batch_dims), SizeOf(context.input(0).dtype),
            context.input(1).dtype};
  context.SetCall(&s.call);
  return SetMovedOutput(context, shape);
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  const Tensor &data = context.input(0), &indices = context.input(1);
  const size_t bad = RunGatherND(s.call, data.data, indices.data, context.output(0).data, *context.parallel);
  if (bad == s.call.plan.indices()) return Status();
  const int place = static_cast<int>(bad % static_cast<size_t>(s.call.plan.length));
  return IndexOutside(indices, bad, data, s.batch_dims + place);
}

}  // namespace
}  // namespace gather_nd_op

MICRORT_OPERATOR(GatherND, gather_nd_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
