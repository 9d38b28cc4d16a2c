// Dequantize: int8, uint8 or int32 to floats by the input's quantization.

#include "micrort/op_resolver.h"
#include "runtime/ops/fused_functions.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/quantized_slices.h"

namespace micrort {
namespace dequantize_op {
namespace {

struct State {
  ConvertCall call;
};

Status Parse(const schema::Operator& op, void*) {
  const schema::DequantizeOptions* options = nullptr;
  return ReadOptions(op, &options);
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 1, 1));
  State& s = context.state<State>();
  const Tensor& in = context.input(0);
  if (in.dtype != DType::kInt8 && in.dtype != DType::kUInt8 && in.dtype != DType::kInt32) {
    return MICRORT_ERROR(kUnsupported, "expected int8, uint8 or int32, found %s", Name(in.dtype));
  }
  MICRORT_RETURN_IF_ERROR(context.SetOutput(0, DType::kFloat32, in.shape));
  MICRORT_RETURN_IF_ERROR(ReadConvertCall(in, in.shape, context.features(), &s.call));
  context.AllowInPlace(0, in.dtype == DType::kInt32 ? 0 : -1);
  s.call.quantizes = false;
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
}  // namespace dequantize_op

MICRORT_OPERATOR(Dequantize, dequantize_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
