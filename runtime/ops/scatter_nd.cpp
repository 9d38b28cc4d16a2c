// ScatterND: its first input with blocks replaced or changed where tuples of indices say.

#include "micrort/op_resolver.h"
#include "runtime/ops/index_operand.h"
#include "runtime/ops/scatter_rule.h"

namespace micrort {
namespace scatter_nd_op {
namespace {

struct State {
  ScatterReduction reduction;
  ScatterNDCall call;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::ScatterNDOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  return ParseScatterReduction(options->reduction(), &static_cast<State*>(state)->reduction);
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(3, 3, 1));
  State& s = context.state<State>();
  const Shape& data = context.input(kScatterData).shape;
  const Shape& indices = context.input(kScatterIndices).shape;
  MICRORT_RETURN_IF_ERROR(ExpectIndices(context.input(kScatterIndices)));
  if (indices.rank == 0 || indices[indices.rank - 1] > data.rank) {
    return MICRORT_ERROR(kInvalidModel, "indices of shape %s do not fit data of shape %s",
                         ShapeString(indices).c_str(), ShapeString(data).c_str());
  }
  const int length = static_cast<int>(indices[indices.rank - 1]);
  if (indices.rank - 1 + data.rank - length > kMaxRank) {
    return MICRORT_ERROR(kUnsupported, "the updates have more than %d dimensions", kMaxRank);
  }
  Shape updates = indices;
  --updates.rank;
  for (int d = length; d < data.rank; ++d) updates[updates.rank++] = data[d];
  s.call.plan = PlanTupleIndex(indices, data, 0);
  s.call.indices = context.input(kScatterIndices).dtype;
  s.call.data_bytes = context.input(kScatterData).bytes();
  context.SetCall(&s.call);
  return PrepareScatter(context, s.reduction, updates, &s.call.rule);
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  const Tensor &data = context.input(kScatterData), &indices = context.input(kScatterIndices);
  const size_t bad = RunScatterND(s.call, data.data, indices.data, context.input(kScatterUpdates).data,
                                  context.output(0).data);
  if (bad == s.call.plan.indices()) return Status();
  const int axis = static_cast<int>(bad % static_cast<size_t>(s.call.plan.length));
  return IndexOutside(indices, bad, data, axis);
}

}  // namespace
}  // namespace scatter_nd_op

MICRORT_OPERATOR(ScatterND, scatter_nd_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
