#include "runtime/ops/index_operand.h"

namespace micrort {

Status ExpectIndices(const Tensor& indices) {
  if (indices.dtype == DType::kInt32 || indices.dtype == DType::kInt64) return Status();
  return MICRORT_ERROR(kInvalidModel, "expected int32 or int64 indices, found %s", Name(indices.dtype));
}

Status ExpectElementIndices(const Shape& indices, const Shape& data, int axis) {
  bool fits = indices.rank == data.rank;
  for (int d = 0; fits && d < data.rank; ++d) fits = d == axis || indices[d] <= data[d];
  if (fits) return Status();
  return MICRORT_ERROR(kInvalidModel, "indices of shape %s do not fit data of shape %s along axis %d",
                       ShapeString(indices).c_str(), ShapeString(data).c_str(), axis);
}

Status IndexOutside(const Tensor& indices, size_t element, const Tensor& data, int axis) {
  const int64_t index =
      indices.dtype == DType::kInt32 ? indices.as<int32_t>()[element] : indices.as<int64_t>()[element];
  return MICRORT_ERROR(kOutOfRange,
                       "index %lld (element %zu of '%s') is outside axis %d of '%s', which has size %lld",
                       static_cast<long long>(index), element, indices.name, axis, data.name,
                       static_cast<long long>(data.shape[axis]));
}

Status ReadInteger(const Tensor& tensor, int64_t* value) {
  const bool is_integer = tensor.dtype == DType::kInt32 || tensor.dtype == DType::kInt64;
  if (!is_integer || tensor.elements() != 1) {
    return MICRORT_ERROR(kInvalidModel, "'%s': expected one int32 or int64, found %s of shape %s",
                         tensor.name, Name(tensor.dtype), ShapeString(tensor.shape).c_str());
  }
  *value = tensor.dtype == DType::kInt32 ? *tensor.as<int32_t>() : *tensor.as<int64_t>();
  return Status();
}

}  // namespace micrort
