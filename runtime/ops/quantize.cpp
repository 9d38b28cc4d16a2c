// Quantize: floats to int8 or uint8, halves to even, or to int16 as TensorFlow Lite rounds, by the output's
// quantization.

#include "kernels/base/has_int16.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/fused_functions.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/parse_rounding.h"
#include "runtime/ops/quantized_slices.h"

namespace micrort {
namespace quantize_op {
namespace {

struct State {
  Rounding rounding;
  ConvertCall call;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::QuantizeOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  return kHasInt16 ? ParseRounding(op, &static_cast<State*>(state)->rounding) : Status();
}

bool HasForm(DType dtype, Rounding rounding) {
  if (!kHasInt16 || rounding == Rounding::kExact) return dtype == DType::kInt8 || dtype == DType::kUInt8;
  return dtype == DType::kInt16;
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 1, 1));
  State& s = context.state<State>();
  const Tensor &in = context.input(0), &out = context.output(0);
  if (in.dtype != DType::kFloat32 || !HasForm(out.dtype, s.rounding)) {
    return MICRORT_ERROR(
        kUnsupported,
        "expected float32 to int8 or uint8, or to int16 with TensorFlow Lite's rounding, found "
        "%s to %s with %s rounding",
        Name(in.dtype), Name(out.dtype), s.rounding == Rounding::kExact ? "exact" : "TensorFlow Lite's");
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

MICRORT_OPERATOR(Quantize, quantize_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
