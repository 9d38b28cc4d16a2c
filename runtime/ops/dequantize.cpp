// Dequantize: int8, uint8 or int32 to floats by the input's quantization.

#include "micrort/op_resolver.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/quantized_slices.h"

namespace micrort {
namespace dequantize_op {
namespace {

struct State {
  QuantizedSlices slices;
  const ConvertF32Kernel* kernel;
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
  MICRORT_RETURN_IF_ERROR(ReadQuantizedSlices(in, in.shape, &s.slices));
  s.kernel = &SelectConvertF32(context.features());
  context.AllowInPlace(0, in.dtype == DType::kInt32 ? 0 : -1);
  context.SetAlgorithm(s.kernel->name);
  return Status();
}

void DequantizePiece(const ConvertF32Kernel& kernel, const Tensor& in, float* y, size_t first, size_t n,
                     QuantizationParams params) {
  switch (in.dtype) {
    case DType::kInt8:
      return kernel.dequantize_s8(in.as<int8_t>() + first, y + first, n, params);
    case DType::kUInt8:
      return kernel.dequantize_u8(in.as<uint8_t>() + first, y + first, n, params);
    default:
      return kernel.dequantize_s32(in.as<int32_t>() + first, y + first, n, params);
  }
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  const Tensor& in = context.input(0);
  float* y = context.output(0).as<float>();
  ForEachQuantizedPiece(s.slices, in.quantization, *context.parallel,
                        [&](size_t first, size_t n, QuantizationParams params) {
                          DequantizePiece(*s.kernel, in, y, first, n, params);
                        });
  return Status();
}

}  // namespace
}  // namespace dequantize_op

const OpRegistration& ops::Dequantize() {
  using namespace dequantize_op;
  static constexpr OpRegistration kRegistration = {static_cast<int>(schema::OpCode::Dequantize),
                                                   "Dequantize",
                                                   sizeof(State),
                                                   Parse,
                                                   Prepare,
                                                   nullptr,
                                                   Run};
  return kRegistration;
}

}  // namespace micrort
