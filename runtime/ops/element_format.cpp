#include "runtime/ops/element_format.h"

#include "runtime/ops/per_tensor_quantization.h"

namespace micrort {

namespace {

bool IsByte(DType dtype) { return dtype == DType::kInt8 || dtype == DType::kUInt8; }

}  // namespace

Status ReadElementFormat(const Tensor& tensor, ElementFormat* format) {
  *format = ElementFormat();
  format->dtype = tensor.dtype;
  if (!IsByte(tensor.dtype) || tensor.quantization.empty()) return Status();
  format->quantized = true;
  return ReadPerTensor(tensor, &format->quantization.scale, &format->quantization.zero_point);
}

Status ReadFixedFormat(const Tensor& tensor, ElementFormat* format) {
  *format = ElementFormat();
  format->dtype = tensor.dtype;
  format->quantized = true;
  if (tensor.dtype != DType::kInt8 && tensor.dtype != DType::kInt16 && tensor.dtype != DType::kInt32) {
    return MICRORT_ERROR(kInvalidModel,
                         "'%s': TensorFlow Lite's rounding needs int8, int16 or int32, found %s", tensor.name,
                         Name(tensor.dtype));
  }
  return ReadPerTensor(tensor, &format->quantization.scale, &format->quantization.zero_point);
}

Status SetElementwiseOutput(PrepareContext& context, int i, const ElementFormat& natural, const Shape& shape,
                            ElementFormat* format) {
  const DType declared = context.output(i).dtype;
  const bool declared_counts = natural.quantized && (declared == DType::kFloat32 || IsByte(declared));
  MICRORT_RETURN_IF_ERROR(context.SetOutput(i, declared_counts ? declared : natural.dtype, shape));
  return ReadElementFormat(context.output(i), format);
}

void AllowElementwiseInPlace(PrepareContext& context, int inputs) {
  const Tensor& out = context.output(0);
  for (int i = 0; i < inputs; ++i) {
    const Tensor& in = context.input(i);
    if (in.shape == out.shape && SizeOf(in.dtype) == SizeOf(out.dtype)) return context.AllowInPlace(0, i);
  }
}

}  // namespace micrort
