#include "converter/frontend/onnx/tensor_reader.h"

#include <cstring>

#include "kernels/base/shape.h"

namespace micrort::frontend {

namespace {

using ::onnx::TensorProto;

Status ReadShape(const TensorProto& proto, std::vector<int64_t>* shape, int64_t* elements, DType dtype) {
  if (proto.dims_size() > kMaxRank) {
    return MICRORT_ERROR(kUnsupported, "%d dimensions, at most %d are possible", proto.dims_size(), kMaxRank);
  }
  Shape checked;
  for (int64_t dim : proto.dims()) checked[checked.rank++] = dim;
  if (!checked.CheckedElements(SizeOf(dtype), elements)) {
    return MICRORT_ERROR(kInvalidModel, "shape %s is negative or too large", ShapeString(checked).c_str());
  }
  shape->assign(proto.dims().begin(), proto.dims().end());
  return Status();
}

// Narrow types lie in wider fields, one element a field entry.
template <typename ElementT, typename FieldT>
Status CopyField(const FieldT& field, int64_t elements, ir::Bytes* out) {
  if (field.size() != elements) {
    return MICRORT_ERROR(kInvalidModel, "its shape has %lld elements, its data has %d",
                         static_cast<long long>(elements), field.size());
  }
  out->resize(static_cast<size_t>(elements) * sizeof(ElementT));
  uint8_t* to = out->data();
  for (const auto v : field) {
    const auto element = static_cast<ElementT>(v);
    std::memcpy(to, &element, sizeof element);
    to += sizeof element;
  }
  return Status();
}

Status CopyTyped(const TensorProto& proto, DType dtype, int64_t n, ir::Bytes* out) {
  switch (dtype) {
    case DType::kFloat32:
      return CopyField<float>(proto.float_data(), n, out);
    case DType::kFloat64:
      return CopyField<double>(proto.double_data(), n, out);
    case DType::kInt64:
      return CopyField<int64_t>(proto.int64_data(), n, out);
    case DType::kUInt64:
      return CopyField<uint64_t>(proto.uint64_data(), n, out);
    case DType::kUInt32:
      return CopyField<uint32_t>(proto.uint64_data(), n, out);
    case DType::kInt32:
      return CopyField<int32_t>(proto.int32_data(), n, out);
    case DType::kFloat16:
    case DType::kBFloat16:
    case DType::kUInt16:
      return CopyField<uint16_t>(proto.int32_data(), n, out);
    case DType::kInt16:
      return CopyField<int16_t>(proto.int32_data(), n, out);
    case DType::kInt8:
      return CopyField<int8_t>(proto.int32_data(), n, out);
    case DType::kUInt8:
    case DType::kBool:
      return CopyField<uint8_t>(proto.int32_data(), n, out);
    case DType::kUnknown:
      break;
  }
  return MICRORT_ERROR(kInternal, "element type without a field");
}

Status CopyData(const TensorProto& proto, DType dtype, int64_t elements, ir::Bytes* out) {
  if (!proto.has_raw_data()) return CopyTyped(proto, dtype, elements, out);
  const std::string& raw = proto.raw_data();
  const size_t expected = static_cast<size_t>(elements) * SizeOf(dtype);
  if (raw.size() != expected) {
    return MICRORT_ERROR(kInvalidModel, "its shape takes %zu bytes, its data has %zu", expected, raw.size());
  }
  out->assign(raw.begin(), raw.end());
  return Status();
}

Status Read(const TensorProto& proto, OnnxTensor* out) {
  if (proto.data_location() == TensorProto::EXTERNAL || proto.external_data_size() > 0) {
    return MICRORT_ERROR(kUnsupported,
                         "its data lies in another file; save the model with its data inside "
                         "(onnx.save_model without save_as_external_data)");
  }
  out->dtype = DTypeOfOnnx(proto.data_type());
  if (out->dtype == DType::kUnknown) {
    return MICRORT_ERROR(kUnsupported, "element type %s", OnnxTypeName(proto.data_type()).c_str());
  }
  int64_t elements = 0;
  MICRORT_RETURN_IF_ERROR(ReadShape(proto, &out->shape, &elements, out->dtype));
  MICRORT_RETURN_IF_ERROR(CopyData(proto, out->dtype, elements, &out->data));
  if (out->dtype == DType::kBool) {
    for (uint8_t& b : out->data) b = b != 0;
  }
  return Status();
}

}  // namespace

DType DTypeOfOnnx(int data_type) {
  switch (data_type) {
    case TensorProto::FLOAT:
      return DType::kFloat32;
    case TensorProto::FLOAT16:
      return DType::kFloat16;
    case TensorProto::BFLOAT16:
      return DType::kBFloat16;
    case TensorProto::DOUBLE:
      return DType::kFloat64;
    case TensorProto::INT8:
      return DType::kInt8;
    case TensorProto::UINT8:
      return DType::kUInt8;
    case TensorProto::INT16:
      return DType::kInt16;
    case TensorProto::UINT16:
      return DType::kUInt16;
    case TensorProto::INT32:
      return DType::kInt32;
    case TensorProto::UINT32:
      return DType::kUInt32;
    case TensorProto::INT64:
      return DType::kInt64;
    case TensorProto::UINT64:
      return DType::kUInt64;
    case TensorProto::BOOL:
      return DType::kBool;
    default:
      return DType::kUnknown;
  }
}

std::string OnnxTypeName(int data_type) {
  const std::string& name =
      ::onnx::TensorProto_DataType_Name(static_cast<::onnx::TensorProto_DataType>(data_type));
  return name.empty() ? std::to_string(data_type) : name;
}

Status ReadTensor(const TensorProto& proto, OnnxTensor* out) {
  return Read(proto, out).WithPrefix("tensor '%s'", proto.name().c_str());
}

}  // namespace micrort::frontend
