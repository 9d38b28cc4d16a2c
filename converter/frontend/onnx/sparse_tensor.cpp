#include "converter/frontend/onnx/sparse_tensor.h"

#include <cstring>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/onnx/names.h"

namespace micrort::frontend::onnx {

namespace {

using ::onnx::SparseTensorProto;

Status ReadDenseShape(const SparseTensorProto& proto, DType dtype, Shape* shape, int64_t* elements) {
  if (proto.dims_size() < 1 || proto.dims_size() > kMaxRank)
    return Unsupported("{} dimensions, expected 1 to {}", proto.dims_size(), kMaxRank);
  for (int64_t dim : proto.dims()) (*shape)[shape->rank++] = dim;
  if (!IsStorable(*shape, dtype, elements))
    return Invalid("shape {} is negative or too large", ShapeString(*shape));
  const uint64_t bytes = static_cast<uint64_t>(*elements) * SizeOf(dtype);
  if (bytes <= kMaxDenseBytes) return Status();
  return Unsupported("shape {} takes {} bytes, at most {} are possible", ShapeString(*shape), bytes,
                     kMaxDenseBytes);
}

Status ReadIndices(const SparseTensorProto& proto, int64_t count, int rank, OnnxTensor* indices) {
  MICRORT_RETURN_IF_ERROR(ReadTensor(proto.indices(), indices));
  const std::vector<int64_t>& shape = indices->shape;
  const bool linear = shape.size() == 1 && shape[0] == count;
  const bool coordinates = shape.size() == 2 && shape[0] == count && shape[1] == rank;
  if (indices->dtype == DType::kInt64 && (linear || coordinates)) return Status();
  return Invalid("expected int64 indices of shape [{}] or [{},{}]", count, count, rank);
}

// The place of entry i in the flattened tensor; -1 if it is outside.
int64_t PlaceOf(const OnnxTensor& indices, size_t i, const Shape& shape, int64_t elements) {
  const auto* index = reinterpret_cast<const int64_t*>(indices.data.data());
  if (indices.shape.size() == 1) return index[i] < 0 || index[i] >= elements ? -1 : index[i];
  int64_t place = 0;
  for (int axis = 0; axis < shape.rank; ++axis) {
    const int64_t at = index[i * static_cast<size_t>(shape.rank) + static_cast<size_t>(axis)];
    if (at < 0 || at >= shape[axis]) return -1;
    place = place * shape[axis] + at;
  }
  return place;
}

Status Scatter(const OnnxTensor& values, const OnnxTensor& indices, const Shape& shape, int64_t elements,
               ir::Bytes* out) {
  const size_t element = SizeOf(values.dtype);
  *out = ir::Bytes(static_cast<size_t>(elements) * element);
  int64_t previous = -1;
  for (size_t i = 0; i < static_cast<size_t>(values.shape[0]); ++i) {
    const int64_t place = PlaceOf(indices, i, shape, elements);
    if (place <= previous)
      return Invalid("index {} is outside of shape {}, or does not ascend", i, ShapeString(shape));
    std::memcpy(out->data() + static_cast<size_t>(place) * element, values.data.data() + i * element,
                element);
    previous = place;
  }
  return Status();
}

Status Read(const SparseTensorProto& proto, OnnxTensor* out) {
  OnnxTensor values, indices;
  MICRORT_RETURN_IF_ERROR(ReadTensor(proto.values(), &values));
  if (values.shape.size() != 1)
    return Invalid("expected values of one dimension, found {}", values.shape.size());
  Shape shape;
  int64_t elements = 0;
  MICRORT_RETURN_IF_ERROR(ReadDenseShape(proto, values.dtype, &shape, &elements));
  MICRORT_RETURN_IF_ERROR(ReadIndices(proto, values.shape[0], shape.rank, &indices));
  MICRORT_RETURN_IF_ERROR(Scatter(values, indices, shape, elements, &out->data));
  out->dtype = values.dtype;
  out->shape.assign(proto.dims().begin(), proto.dims().end());
  return Status();
}

std::string NameOf(const SparseTensorProto& proto) { return Shown(proto.values().name()); }

}  // namespace

Status DenseBytesOf(const SparseTensorProto& proto, uint64_t* bytes) {
  *bytes = 0;
  const DType dtype = StoredTypeOfOnnx(proto.values().data_type()).dtype;
  if (dtype == DType::kUnknown) return Status();
  Shape shape;
  int64_t elements = 0;
  MICRORT_RETURN_IF_ERROR(ReadDenseShape(proto, dtype, &shape, &elements)
                              .WithPrefix("sparse tensor '%s'", NameOf(proto).c_str()));
  *bytes = static_cast<uint64_t>(elements) * SizeOf(dtype);
  return Status();
}

Status ReadSparseTensor(const SparseTensorProto& proto, OnnxTensor* out) {
  return Read(proto, out).WithPrefix("sparse tensor '%s'", NameOf(proto).c_str());
}

}  // namespace micrort::frontend::onnx
