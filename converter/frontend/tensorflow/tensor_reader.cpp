#include "converter/frontend/tensorflow/tensor_reader.h"

#include "converter/frontend/common/errors.h"
#include "converter/frontend/tensorflow/tensor_types.h"
#include "converter/ir/budget.h"
#include "kernels/base/shape.h"

namespace micrort::frontend::tensorflow {

namespace {

// A few bytes of a file may stand for this much.
size_t MaxSpreadBytes() {
  constexpr uint64_t kMost = uint64_t{256} << 20;
  const uint64_t limit = ir::CurrentLimits().max_tensor_bytes;
  return static_cast<size_t>(limit < kMost ? limit : kMost);
}

// Writes the elements as type To, the last one to the end; zeros where there are none.
template <typename To, typename List>
void Spread(const List& list, ir::Bytes* data) {
  auto* out = reinterpret_cast<To*>(data->data());
  const size_t n = data->size() / sizeof(To);
  const auto given = static_cast<size_t>(list.size());
  for (size_t i = 0; i < n && given > 0; ++i)
    out[i] = static_cast<To>(list[static_cast<int>(i < given ? i : given - 1)]);
}

size_t GivenElements(const ::tensorflow::TensorProto& p) {
  const int counts[] = {p.float_val_size(), p.double_val_size(), p.int_val_size(),    p.int64_val_size(),
                        p.bool_val_size(),  p.half_val_size(),   p.uint32_val_size(), p.uint64_val_size()};
  int most = 0;
  for (const int count : counts) most = count > most ? count : most;
  return static_cast<size_t>(most);
}

void SpreadTyped(const ::tensorflow::TensorProto& p, DType dtype, ir::Bytes* data) {
  switch (dtype) {
    case DType::kFloat32:
      return Spread<float>(p.float_val(), data);
    case DType::kFloat64:
      return Spread<double>(p.double_val(), data);
    case DType::kFloat16:
    case DType::kBFloat16:
      return Spread<uint16_t>(p.half_val(), data);
    case DType::kInt8:
      return Spread<int8_t>(p.int_val(), data);
    case DType::kUInt8:
      return Spread<uint8_t>(p.int_val(), data);
    case DType::kInt16:
      return Spread<int16_t>(p.int_val(), data);
    case DType::kUInt16:
      return Spread<uint16_t>(p.int_val(), data);
    case DType::kInt32:
      return Spread<int32_t>(p.int_val(), data);
    case DType::kUInt32:
      return Spread<uint32_t>(p.uint32_val(), data);
    case DType::kInt64:
      return Spread<int64_t>(p.int64_val(), data);
    case DType::kUInt64:
      return Spread<uint64_t>(p.uint64_val(), data);
    default:
      return Spread<uint8_t>(p.bool_val(), data);
  }
}

}  // namespace

Status ReadStaticShape(const ::tensorflow::TensorShapeProto& proto, std::vector<int64_t>* dims) {
  if (proto.unknown_rank()) return Invalid("a constant's rank is not given");
  if (proto.dim_size() > kMaxRank)
    return Unsupported("a constant of {} dimensions; at most {}", proto.dim_size(), kMaxRank);
  dims->clear();
  for (const auto& dim : proto.dim()) {
    if (dim.size() < 0) return Invalid("a constant's dimension is negative");
    // Also where another one is 0, so that there are no elements: what reads the shape counts in 32 bits.
    if (dim.size() > INT32_MAX) return Unsupported("a constant's dimension of {}", dim.size());
    dims->push_back(dim.size());
  }
  return Status();
}

Result<size_t> BytesOf(DType dtype, const std::vector<int64_t>& shape) {
  Shape checked;
  for (const int64_t d : shape) checked.dims[checked.rank++] = d;
  int64_t elements = 0;
  if (!checked.CheckedElements(SizeOf(dtype), &elements)) return Invalid("a constant's size overflows");
  return static_cast<size_t>(elements) * SizeOf(dtype);
}

Status ReadTensor(const ::tensorflow::TensorProto& proto, ConstantTensor* out) {
  out->dtype = DTypeOfTensorflow(proto.dtype());
  if (out->dtype == DType::kUnknown) return Unsupported("a constant of {}", TypeName(proto.dtype()));
  MICRORT_RETURN_IF_ERROR(ReadStaticShape(proto.tensor_shape(), &out->shape));
  MICRORT_ASSIGN_OR_RETURN(const size_t bytes, BytesOf(out->dtype, out->shape));
  const std::string& content = proto.tensor_content();
  if (!content.empty()) {
    if (content.size() != bytes)
      return Invalid("a constant's content: expected {} bytes, found {}", bytes, content.size());
    out->data.assign(content.begin(), content.end());
    return Status();
  }
  if (bytes > MaxSpreadBytes() && GivenElements(proto) * SizeOf(out->dtype) != bytes)
    return Unsupported(
        "a constant of {} bytes that is given by {} elements; at most {} bytes may be (256 MiB, or less by "
        "--max-memory)",
        bytes, GivenElements(proto), MaxSpreadBytes());
  out->data = ir::Bytes(bytes);
  SpreadTyped(proto, out->dtype, &out->data);
  return Status();
}

Status ReadComplexTensor(const ::tensorflow::TensorProto& proto, ConstantTensor* out) {
  ::tensorflow::TensorProto floats;
  floats.set_dtype(::tensorflow::DT_FLOAT);
  *floats.mutable_tensor_shape() = proto.tensor_shape();
  if (!proto.tensor_content().empty()) {
    floats.mutable_tensor_shape()->add_dim()->set_size(2);
    floats.set_tensor_content(proto.tensor_content());
    return ReadTensor(floats, out);
  }
  // Few of them stand for all, by themselves.
  ConstantTensor parts[2];
  for (int part = 0; part < 2; ++part) {
    floats.clear_float_val();
    for (int i = part; i < proto.scomplex_val_size(); i += 2) floats.add_float_val(proto.scomplex_val(i));
    MICRORT_RETURN_IF_ERROR(ReadTensor(floats, &parts[part]));
  }
  out->dtype = DType::kFloat32;
  out->shape = parts[0].shape;
  out->shape.push_back(2);
  std::vector<uint8_t> pairs;
  for (size_t i = 0; i < parts[0].data.size(); i += sizeof(float)) {
    for (const ConstantTensor& part : parts)
      pairs.insert(pairs.end(), part.data.begin() + i, part.data.begin() + i + sizeof(float));
  }
  out->data = std::move(pairs);
  return Status();
}

}  // namespace micrort::frontend::tensorflow
