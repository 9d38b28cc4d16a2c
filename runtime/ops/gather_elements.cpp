// GatherElements: an element of its first input for every index.

#include "kernels/index/gather_elements.h"

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
  GatherElementsCall call;
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
  s.call = {PlanElementIndex(indices, data, s.resolved_axis), SizeOf(context.input(0).dtype),
            context.input(1).dtype, context.input(1).elements()};
  context.SetCall(&s.call);
  return SetMovedOutput(context, indices);
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  const Tensor &data = context.input(0), &indices = context.input(1);
  const size_t bad = RunGatherElements(s.call, data.data, indices.data, context.output(0).data);
  return bad == s.call.count ? Status() : IndexOutside(indices, bad, data, s.resolved_axis);
}

}  // namespace
}  // namespace gather_elements_op

MICRORT_OPERATOR(GatherElements, gather_elements_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
