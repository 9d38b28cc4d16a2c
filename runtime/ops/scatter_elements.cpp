// ScatterElements: its first input with an element replaced or changed for every index.

#include "micrort/op_resolver.h"
#include "runtime/ops/index_operand.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/scatter_rule.h"

namespace micrort {
namespace scatter_elements_op {
namespace {

struct State {
  int axis;
  ScatterReduction reduction;
  int resolved_axis;
  ScatterElementsCall call;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::ScatterElementsOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  State& s = *static_cast<State*>(state);
  s.axis = options->axis();
  return ParseScatterReduction(options->reduction(), &s.reduction);
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(3, 3, 1));
  State& s = context.state<State>();
  const Shape& data = context.input(kScatterData).shape;
  const Shape& indices = context.input(kScatterIndices).shape;
  MICRORT_RETURN_IF_ERROR(ExpectIndices(context.input(kScatterIndices)));
  MICRORT_RETURN_IF_ERROR(ResolveAxis(s.axis, data.rank, &s.resolved_axis));
  MICRORT_RETURN_IF_ERROR(ExpectElementIndices(indices, data, s.resolved_axis));
  s.call.plan = PlanElementIndex(indices, data, s.resolved_axis);
  s.call.indices = context.input(kScatterIndices).dtype;
  s.call.count = context.input(kScatterIndices).elements();
  s.call.data_bytes = context.input(kScatterData).bytes();
  context.SetCall(&s.call);
  return PrepareScatter(context, s.reduction, indices, &s.call.rule);
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  const Tensor &data = context.input(kScatterData), &indices = context.input(kScatterIndices);
  const size_t bad = RunScatterElements(s.call, data.data, indices.data, context.input(kScatterUpdates).data,
                                        context.output(0).data);
  return bad == s.call.count ? Status() : IndexOutside(indices, bad, data, s.resolved_axis);
}

}  // namespace
}  // namespace scatter_elements_op

MICRORT_OPERATOR(ScatterElements, scatter_elements_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
