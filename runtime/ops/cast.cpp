// Cast: its input, or the bits of it, as elements of the output's type.

#include "kernels/elementwise/cast.h"

#include "micrort/op_resolver.h"
#include "runtime/ops/element_format.h"
#include "runtime/ops/fused_functions.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace cast_op {
namespace {

struct State {
  bool reinterpret;
  CastCall call;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::CastOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  static_cast<State*>(state)->reinterpret = options->reinterpret();
  return Status();
}

// Integers without sign carry the bits of any type.
DType BitsOf(DType dtype) {
  switch (SizeOf(dtype)) {
    case 1:
      return DType::kUInt8;
    case 2:
      return DType::kUInt16;
    case 4:
      return DType::kUInt32;
    default:
      return DType::kUInt64;
  }
}

// Bytes other than 0 and 1 are no bool.
Status CheckReinterpret(DType from, DType to) {
  if (SizeOf(from) == SizeOf(to) && to != DType::kBool) return Status();
  return MICRORT_ERROR(kInvalidModel, "the bits of %s make no %s", Name(from), Name(to));
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 1, 1));
  const DType to = context.output(0).dtype;
  if (SizeOf(to) == 0) return MICRORT_ERROR(kInvalidModel, "the output's element type is not set");
  const DType from = context.input(0).dtype;
  State& state = context.state<State>();
  if (state.reinterpret) MICRORT_RETURN_IF_ERROR(CheckReinterpret(from, to));
  MICRORT_RETURN_IF_ERROR(context.SetOutput(0, to, context.input(0).shape));
  CastCall& call = state.call;
  call = {state.reinterpret ? BitsOf(from) : from, state.reinterpret ? BitsOf(to) : to,
          SelectConvertF32(context.features()).id};
  context.SetCall(&call);
  context.SetFused(&kFusedFunctions);
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

MICRORT_OPERATOR(Cast, cast_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
