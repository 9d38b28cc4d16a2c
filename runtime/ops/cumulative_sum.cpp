// CumulativeSum: running sums or products along an axis.

#include "kernels/reduce/cumulative_sum.h"

#include "micrort/op_resolver.h"
#include "runtime/ops/index_operand.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace cumulative_sum_op {
namespace {

struct State {
  bool exclusive;
  bool reverse;
  bool product;
  CumulativeSumParams params;  // where the axis is known beforehand
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::CumulativeSumOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  *static_cast<State*>(state) = {options->exclusive(), options->reverse(), options->product(), {}};
  return Status();
}

Status ParamsFor(const State& s, const Tensor& in, const Tensor& axis_input, CumulativeSumParams* params) {
  int64_t given = 0;
  MICRORT_RETURN_IF_ERROR(ReadInteger(axis_input, &given));
  int axis = 0;
  MICRORT_RETURN_IF_ERROR(ResolveAxis(given, in.shape.rank, &axis));
  *params = {in.dtype,
             s.exclusive,
             s.reverse,
             s.product,
             static_cast<size_t>(in.shape.product(0, axis)),
             static_cast<size_t>(in.shape[axis]),
             static_cast<size_t>(in.shape.product(axis + 1, in.shape.rank))};
  return Status();
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(2, 2, 1));
  const Tensor& in = context.input(0);
  if (!HasCumulativeSum(in.dtype)) {
    return MICRORT_ERROR(kUnsupported, "expected elements of 32 or 64 bits, found %s", Name(in.dtype));
  }
  if (context.contents(1) == Contents::kFixed) {
    State& s = context.state<State>();
    MICRORT_RETURN_IF_ERROR(ParamsFor(s, in, context.input(1), &s.params));
    context.SetCall(&s.params);
  }
  return context.SetOutput(0, in.dtype, in.shape);
}

Status Run(const RunContext& context) {
  const Tensor& in = context.input(0);
  CumulativeSumParams params;
  MICRORT_RETURN_IF_ERROR(ParamsFor(context.state<State>(), in, context.input(1), &params));
  RunCumulativeSum(params, in.data, context.output(0).data, *context.parallel);
  return Status();
}

}  // namespace
}  // namespace cumulative_sum_op

MICRORT_OPERATOR(CumulativeSum, cumulative_sum_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
