// Quantize: floats to int8 or uint8 by the output's quantization.

#include "micrort/op_resolver.h"
#include "runtime/ops/fused_functions.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/quantized_slices.h"

namespace micrort {
namespace quantize_op {
namespace {

struct State {
  ConvertCall call;
};

Status Parse(const schema::Operator& op, void*) {
  const schema::QuantizeOptions* options = nullptr;
  return ReadOptions(op, &options);
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 1, 1));
  State& s = context.state<State>();
  const Tensor &in = context.input(0), &out = context.output(0);
  if (in.dtype != DType::kFloat32 || (out.dtype != DType::kInt8 && out.dtype != DType::kUInt8)) {
    return MICRORT_ERROR(kUnsupported, "expected float32 to int8 or uint8, found %s to %s", Name(in.dtype),
                         Name(out.dtype));
  }
  MICRORT_RETURN_IF_ERROR(context.SetOutput(0, out.dtype, in.shape));
  MICRORT_RETURN_IF_ERROR(ReadConvertCall(out, in.shape, context.features(), &s.call));
  s.call.quantizes = true;
  context.SetCall(&s.call);
  context.SetFused(&kFusedFunctions);
  context.SetAlgorithm(SelectConvertF32(context.features()).name);
  return Status();
}

Status Run(const RunContext& context) {
  RunConvert(context.state<State>().call, context.input(0).data, context.output(0).data, *context.parallel);
  return Status();
}

}  // namespace
}  // namespace quantize_op

const OpRegistration& ops::Quantize() {
  using namespace quantize_op;
  static constexpr OpRegistration kRegistration = {
      static_cast<int>(schema::OpCode::Quantize), "Quantize", sizeof(State), Parse, Prepare, nullptr, Run};
  return kRegistration;
}

}  // namespace micrort
