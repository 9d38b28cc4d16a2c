// Softmax: exponentials along an axis, divided by their sum; or the logarithms of these quotients.

#include "kernels/elementwise/softmax_f32.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"

namespace micrort {

namespace {

struct State {
  int axis;
  bool log;
  SoftmaxShape shape;
  const SoftmaxF32Kernel* kernel;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::SoftmaxOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  State& s = *static_cast<State*>(state);
  s.axis = options->axis();
  s.log = options->log();
  return Status();
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 1, 1));
  State& s = context.state<State>();
  const Tensor& in = context.input(0);
  if (in.dtype != DType::kFloat32) {
    return MICRORT_ERROR(kUnsupported, "expected float32, found %s", Name(in.dtype));
  }
  int axis = 0;
  MICRORT_RETURN_IF_ERROR(ResolveAxis(s.axis, in.shape.rank, &axis));
  MICRORT_RETURN_IF_ERROR(context.SetOutput(0, in.dtype, in.shape));
  s.shape = {static_cast<size_t>(in.shape.product(0, axis)), static_cast<size_t>(in.shape[axis]),
             static_cast<size_t>(in.shape.product(axis + 1, in.shape.rank))};
  s.kernel = &SelectSoftmaxF32(context.features());
  context.AllowInPlace(0, 0);
  context.SetAlgorithm(s.kernel->name);
  return Status();
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  SoftmaxF32(*s.kernel, s.shape, s.log, context.input(0).as<float>(), context.output(0).as<float>(),
             *context.parallel);
  return Status();
}

}  // namespace

const OpRegistration& ops::Softmax() {
  static constexpr OpRegistration kRegistration = {
      static_cast<int>(schema::OpCode::Softmax), "Softmax", sizeof(State), Parse, Prepare, nullptr, Run};
  return kRegistration;
}

}  // namespace micrort
