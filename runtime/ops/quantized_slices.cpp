#include "runtime/ops/quantized_slices.h"

#include "kernels/base/has_int16.h"
#include "runtime/ops/per_tensor_quantization.h"

namespace micrort {

namespace {

bool CanHold(DType dtype, int32_t zero_point) {
  switch (dtype) {
    case DType::kInt8:
      return zero_point >= INT8_MIN && zero_point <= INT8_MAX;
    case DType::kInt16:
      return !kHasInt16 || (zero_point >= INT16_MIN && zero_point <= INT16_MAX);
    case DType::kUInt8:
      return zero_point >= 0 && zero_point <= UINT8_MAX;
    default:
      return true;
  }
}

}  // namespace

Status ReadQuantizedSlices(const Tensor& tensor, const Shape& shape, QuantizedSlices* slices) {
  const QuantizationView& q = tensor.quantization;
  if (q.empty()) return MICRORT_ERROR(kInvalidModel, "'%s' has no quantization", tensor.name);
  MICRORT_RETURN_IF_ERROR(CheckScales(tensor));
  for (size_t i = 0; i < q.count; ++i) {
    if (CanHold(tensor.dtype, q.zero_point(i))) continue;
    return MICRORT_ERROR(kInvalidModel, "'%s': zero point %d is not a value of %s", tensor.name,
                         q.zero_point(i), Name(tensor.dtype));
  }
  if (q.count == 1) {
    *slices = {1, 1, static_cast<size_t>(shape.elements())};
    return Status();
  }
  if (q.axis < 0 || q.axis >= shape.rank || static_cast<size_t>(shape[q.axis]) != q.count) {
    return MICRORT_ERROR(kInvalidModel, "'%s': expected one scale a slice of axis %d of %s, found %zu",
                         tensor.name, q.axis, ShapeString(shape).c_str(), q.count);
  }
  *slices = {static_cast<size_t>(shape.product(0, q.axis)), q.count,
             static_cast<size_t>(shape.product(q.axis + 1, shape.rank))};
  return Status();
}

Status ReadConvertCall(const Tensor& tensor, const Shape& shape, CpuFeatures features, ConvertCall* call) {
  MICRORT_RETURN_IF_ERROR(ReadQuantizedSlices(tensor, shape, &call->slices));
  call->dtype = tensor.dtype;
  call->scales = tensor.quantization.scales;
  call->zero_points = tensor.quantization.zero_points;
  call->kernel = SelectConvertF32(features).id;
  return Status();
}

}  // namespace micrort
