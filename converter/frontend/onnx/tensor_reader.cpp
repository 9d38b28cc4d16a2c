#include "converter/frontend/onnx/tensor_reader.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/onnx/mapped_tensors.h"
#include "converter/frontend/onnx/names.h"

namespace micrort::frontend::onnx {

namespace {

using ::onnx::TensorProto;

Status ReadShape(const TensorProto& proto, std::vector<int64_t>* shape, int64_t* elements, DType dtype) {
  if (proto.dims_size() > kMaxRank)
    return Unsupported("{} dimensions, at most {} are possible", proto.dims_size(), kMaxRank);
  Shape checked;
  for (int64_t dim : proto.dims()) checked[checked.rank++] = dim;
  if (!IsStorable(checked, dtype, elements))
    return Invalid("shape {} is negative or too large", ShapeString(checked));
  shape->assign(proto.dims().begin(), proto.dims().end());
  return Status();
}

// Narrow types lie in wider fields, one element a field entry.
template <typename ElementT, typename FieldT>
Status CopyField(const FieldT& field, int64_t elements, ir::Bytes* out) {
  if (field.size() != elements)
    return Invalid("its shape has {} elements, its data has {}", elements, field.size());
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
    case DType::kInt4:  // tensors of 4-bit numbers are read as int8
    case DType::kUnknown:
      break;
  }
  return MICRORT_ERROR(kInternal, "element type without a field");
}

// Two to a byte, the first in the low half.
void Unpack4Bit(const ir::Bytes& packed, bool is_signed, int64_t elements, ir::Bytes* out) {
  out->resize(static_cast<size_t>(elements));
  for (size_t i = 0; i < out->size(); ++i) {
    const int nibble = packed[i / 2] >> (i % 2 == 0 ? 0 : 4) & 15;
    (*out)[i] = static_cast<uint8_t>(is_signed && nibble > 7 ? nibble - 16 : nibble);
  }
}

// Eights of elements first: their bits may be too many to count.
uint64_t PackedBytes(int64_t elements, int bits) {
  const auto n = static_cast<uint64_t>(elements), width = static_cast<uint64_t>(bits);
  return n / 8 * width + (n % 8 * width + 7) / 8;
}

Status CopyRaw(const std::string& raw, uint64_t expected, ir::Bytes* out) {
  if (raw.size() != expected)
    return Invalid("its shape takes {} bytes, its data has {}", expected, raw.size());
  out->assign(raw.begin(), raw.end());
  return Status();
}

Status CopyData(const TensorProto& proto, StoredType type, int64_t elements, ir::Bytes* out) {
  const uint64_t bytes = PackedBytes(elements, type.bits);
  if (type.bits >= 8) {
    return proto.has_raw_data() ? CopyRaw(proto.raw_data(), bytes, out)
                                : CopyTyped(proto, type.dtype, elements, out);
  }
  ir::Bytes packed;
  MICRORT_RETURN_IF_ERROR(proto.has_raw_data()
                              ? CopyRaw(proto.raw_data(), bytes, &packed)
                              : CopyField<uint8_t>(proto.int32_data(), static_cast<int64_t>(bytes), &packed));
  Unpack4Bit(packed, type.dtype == DType::kInt8, elements, out);
  return Status();
}

Status TakeMapped(const ir::Bytes& mapped, uint64_t expected, ir::Bytes* out) {
  if (mapped.size() != expected)
    return Invalid("its shape takes {} bytes, its data has {}", expected, mapped.size());
  *out = mapped;
  return Status();
}

Result<StoredType> CheckType(const TensorProto& proto) {
  StoredType type;
  type = StoredTypeOfOnnx(proto.data_type());
  if (type.dtype != DType::kUnknown) return type;
  return Unsupported("element type {}", OnnxTypeName(proto.data_type()));
}

Status Read(const TensorProto& proto, OnnxTensor* out) {
  MICRORT_ASSIGN_OR_RETURN(StoredType type, CheckType(proto));
  out->dtype = type.dtype;
  out->is_four_bit = type.bits == 4;
  const ir::Bytes* const mapped = MappedTensors::Find(proto);
  if (proto.data_location() == TensorProto::EXTERNAL && mapped == nullptr)
    return Unsupported("its data lies in another file, which only models read from a file can have");
  if (proto.has_segment()) return Unsupported("it is one segment of a tensor");
  int64_t elements = 0;
  MICRORT_RETURN_IF_ERROR(ReadShape(proto, &out->shape, &elements, out->dtype));
  if (mapped != nullptr) return TakeMapped(*mapped, PackedBytes(elements, type.bits), &out->data);
  MICRORT_RETURN_IF_ERROR(CopyData(proto, type, elements, &out->data));
  if (out->dtype == DType::kBool) {
    for (uint8_t& b : out->data) b = b != 0;
  }
  return Status();
}

}  // namespace

bool IsStorable(const Shape& shape, DType dtype, int64_t* elements) {
  const bool fits = std::all_of(shape.dims, shape.dims + shape.rank,
                                [](int64_t dim) { return dim <= std::numeric_limits<int32_t>::max(); });
  return fits && shape.CheckedElements(SizeOf(dtype), elements);
}

Status ReadTensor(const TensorProto& proto, OnnxTensor* out) {
  return Read(proto, out).WithPrefix("tensor '%s'", Shown(proto.name()).c_str());
}

Result<uint64_t> RawBytesOf(const TensorProto& proto) {
  MICRORT_ASSIGN_OR_RETURN(StoredType type, CheckType(proto));
  std::vector<int64_t> shape;
  int64_t elements = 0;
  MICRORT_RETURN_IF_ERROR(ReadShape(proto, &shape, &elements, type.dtype));
  return PackedBytes(elements, type.bits);
}

}  // namespace micrort::frontend::onnx
