// Cast: its input as elements of the output's type.

#include "kernels/elementwise/cast.h"

#include "micrort/op_resolver.h"
#include "runtime/ops/element_format.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace cast_op {
namespace {

struct State {
  CastCall call;
};

Status Parse(const schema::Operator& op, void*) {
  const schema::CastOptions* options = nullptr;
  return ReadOptions(op, &options);
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 1, 1));
  const DType to = context.output(0).dtype;
  if (SizeOf(to) == 0) return MICRORT_ERROR(kInvalidModel, "the output's element type is not set");
  MICRORT_RETURN_IF_ERROR(context.SetOutput(0, to, context.input(0).shape));
  CastCall& call = context.state<State>().call;
  call = {context.input(0).dtype, to, context.features()};
  context.SetCall(&call);
  AllowElementwiseInPlace(context, 1);
  return Status();
}

Status Run(const RunContext& context) {
  const Tensor& in = context.input(0);
  RunCast(context.state<State>().call, in.data, context.output(0).data, in.elements(), *context.parallel);
  return Status();
}

}  // namespace
}  // namespace cast_op

const OpRegistration& ops::Cast() {
  using namespace cast_op;
  static constexpr OpRegistration kRegistration = {
      static_cast<int>(schema::OpCode::Cast), "Cast", sizeof(State), Parse, Prepare, nullptr, Run};
  return kRegistration;
}

}  // namespace micrort
