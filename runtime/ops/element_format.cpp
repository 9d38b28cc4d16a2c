#include "runtime/ops/element_format.h"

#include <cmath>

namespace micrort {

namespace {

bool IsByte(DType dtype) { return dtype == DType::kInt8 || dtype == DType::kUInt8; }

}  // namespace

Status ReadElementFormat(const Tensor& tensor, ElementFormat* format) {
  *format = ElementFormat();
  format->dtype = tensor.dtype;
  const QuantizationView& q = tensor.quantization;
  if (!IsByte(tensor.dtype) || q.empty()) return Status();
  if (q.count != 1) {
    return MICRORT_ERROR(kUnsupported,
                         "'%s': expected one scale for the whole tensor, found %zu along axis %d",
                         tensor.name, q.count, q.axis);
  }
  const int32_t lowest = tensor.dtype == DType::kInt8 ? -128 : 0;
  if (!(q.scale() > 0) || !std::isfinite(q.scale()) || q.zero_point() < lowest ||
      q.zero_point() > lowest + 255) {
    return MICRORT_ERROR(kInvalidModel, "'%s': scale %g with zero point %d is not a quantization of %s",
                         tensor.name, static_cast<double>(q.scale()), q.zero_point(), Name(tensor.dtype));
  }
  format->quantized = true;
  format->quantization = {q.scale(), q.zero_point()};
  return Status();
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
