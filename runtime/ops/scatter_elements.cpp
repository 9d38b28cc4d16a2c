// ScatterElements: its first input with an element replaced or changed for every index.

#include "kernels/copy/gather.h"
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
  ScatterRule rule;
  ElementIndex plan;
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
  s.plan = PlanElementIndex(indices, data, s.resolved_axis);
  return PrepareScatter(context, s.reduction, indices, &s.rule);
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  const Tensor& indices = context.input(kScatterIndices);
  return WithIndices(indices, [&](const auto* values) {
    const size_t bad = FindBadIndex(values, indices.elements(), static_cast<size_t>(s.plan.bound));
    if (bad != indices.elements()) {
      return IndexOutside(indices, bad, context.input(kScatterData), s.resolved_axis);
    }
    CopyScatterData(context);
    ScatterElements(s.plan, s.rule, values, context.input(kScatterUpdates).data, context.output(0).data);
    return Status();
  });
}

}  // namespace
}  // namespace scatter_elements_op

const OpRegistration& ops::ScatterElements() {
  using namespace scatter_elements_op;
  static constexpr OpRegistration kRegistration = {static_cast<int>(schema::OpCode::ScatterElements),
                                                   "ScatterElements",
                                                   sizeof(State),
                                                   Parse,
                                                   Prepare,
                                                   nullptr,
                                                   Run};
  return kRegistration;
}

}  // namespace micrort
