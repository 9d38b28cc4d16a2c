// GatherElements: an element of its first input for every index.

#include "kernels/index/gather_elements.h"

#include "kernels/copy/gather.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/index_operand.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace gather_elements_op {
namespace {

struct State {
  int axis;
  int resolved_axis;
  ElementIndex plan;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::GatherElementsOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  static_cast<State*>(state)->axis = options->axis();
  return Status();
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(2, 2, 1));
  State& s = context.state<State>();
  const Shape& data = context.input(0).shape;
  const Shape& indices = context.input(1).shape;
  MICRORT_RETURN_IF_ERROR(ExpectIndices(context.input(1)));
  MICRORT_RETURN_IF_ERROR(ResolveAxis(s.axis, data.rank, &s.resolved_axis));
  MICRORT_RETURN_IF_ERROR(ExpectElementIndices(indices, data, s.resolved_axis));
  s.plan = PlanElementIndex(indices, data, s.resolved_axis);
  return SetMovedOutput(context, indices);
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  const Tensor& data = context.input(0);
  const Tensor& indices = context.input(1);
  return WithIndices(indices, [&](const auto* values) {
    const size_t bad = FindBadIndex(values, indices.elements(), static_cast<size_t>(s.plan.bound));
    if (bad != indices.elements()) return IndexOutside(indices, bad, data, s.resolved_axis);
    GatherElements(s.plan, SizeOf(data.dtype), data.data, values, context.output(0).data);
    return Status();
  });
}

}  // namespace
}  // namespace gather_elements_op

const OpRegistration& ops::GatherElements() {
  using namespace gather_elements_op;
  static constexpr OpRegistration kRegistration = {static_cast<int>(schema::OpCode::GatherElements),
                                                   "GatherElements",
                                                   sizeof(State),
                                                   Parse,
                                                   Prepare,
                                                   nullptr,
                                                   Run};
  return kRegistration;
}

}  // namespace micrort
