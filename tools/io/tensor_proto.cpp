#include "tools/io/tensor_proto.h"

#include <cstring>

namespace micrort::io {
namespace {

// Field numbers of TensorProto.
enum Field : uint32_t {
  kDims = 1,
  kDataType = 2,
  kFloatData = 4,
  kInt32Data = 5,
  kInt64Data = 7,
  kName = 8,
  kRawData = 9,
  kDoubleData = 10,
  kUInt64Data = 11,
  kDataLocation = 14,
};

constexpr DType kOnnxTypes[] = {
    DType::kUnknown, DType::kFloat32, DType::kUInt8,   DType::kInt8,    DType::kUInt16,  DType::kInt16,
    DType::kInt32,   DType::kInt64,   DType::kUnknown, DType::kBool,    DType::kFloat16, DType::kFloat64,
    DType::kUInt32,  DType::kUInt64,  DType::kUnknown, DType::kUnknown, DType::kBFloat16};

enum WireType : uint32_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

class WireReader {
 public:
  explicit WireReader(Span<const uint8_t> bytes) : at_(bytes.begin()), end_(bytes.end()) {}

  bool done() const { return at_ == end_; }
  bool Varint(uint64_t* out) {
    *out = 0;
    for (int shift = 0; shift < 64 && at_ != end_; shift += 7) {
      const uint8_t byte = *at_++;
      *out |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return true;
    }
    return false;
  }
  bool Bytes(size_t n, Span<const uint8_t>* out) {
    if (static_cast<size_t>(end_ - at_) < n) return false;
    *out = {at_, n};
    at_ += n;
    return true;
  }
  bool Delimited(Span<const uint8_t>* out) {
    uint64_t n;
    return Varint(&n) && Bytes(n, out);
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

struct TensorFields {
  std::vector<int64_t> dims;
  uint64_t data_type = 0;
  std::string name;
  bool has_raw = false, external = false;
  std::vector<uint8_t> raw;       // raw_data, or the fixed-size typed fields as they are
  std::vector<uint64_t> varints;  // int32_data, int64_data, uint64_data
};

// One value of a repeated varint field, or a packed run of them.
bool ReadVarints(WireReader* reader, uint32_t wire, std::vector<uint64_t>* out) {
  uint64_t value;
  if (wire == kVarint) {
    if (!reader->Varint(&value)) return false;
    out->push_back(value);
    return true;
  }
  Span<const uint8_t> packed;
  if (wire != kBytes || !reader->Delimited(&packed)) return false;
  for (WireReader run(packed); !run.done();) {
    if (!run.Varint(&value)) return false;
    out->push_back(value);
  }
  return true;
}

bool ReadFixed(WireReader* reader, uint32_t wire, std::vector<uint8_t>* out) {
  Span<const uint8_t> bytes;
  const bool ok =
      wire == kBytes ? reader->Delimited(&bytes) : reader->Bytes(wire == kFixed32 ? 4 : 8, &bytes);
  if (ok) out->insert(out->end(), bytes.begin(), bytes.end());
  return ok && wire != kVarint;
}

bool Skip(WireReader* reader, uint32_t wire) {
  uint64_t value;
  Span<const uint8_t> bytes;
  switch (wire) {
    case kVarint:
      return reader->Varint(&value);
    case kFixed64:
      return reader->Bytes(8, &bytes);
    case kFixed32:
      return reader->Bytes(4, &bytes);
    case kBytes:
      return reader->Delimited(&bytes);
    default:
      return false;
  }
}

bool ReadField(WireReader* reader, uint32_t field, uint32_t wire, TensorFields* tensor) {
  Span<const uint8_t> bytes;
  std::vector<uint64_t> values;
  switch (field) {
    case kDims:
      if (!ReadVarints(reader, wire, &values)) return false;
      for (uint64_t v : values) tensor->dims.push_back(static_cast<int64_t>(v));
      return true;
    case kDataType:
      return wire == kVarint && reader->Varint(&tensor->data_type);
    case kDataLocation:
      if (wire != kVarint || !ReadVarints(reader, wire, &values)) return false;
      tensor->external = values[0] != 0;
      return true;
    case kName:
      if (wire != kBytes || !reader->Delimited(&bytes)) return false;
      tensor->name.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      return true;
    case kRawData:
      tensor->has_raw = true;
      return wire == kBytes && ReadFixed(reader, wire, &tensor->raw);
    case kFloatData:
    case kDoubleData:
      return ReadFixed(reader, wire, &tensor->raw);
    case kInt32Data:
    case kInt64Data:
    case kUInt64Data:
      return ReadVarints(reader, wire, &tensor->varints);
    default:
      return Skip(reader, wire);
  }
}

}  // namespace

Status ParseTensorProto(const std::string& what, Span<const uint8_t> bytes, NamedArray* out) {
  TensorFields tensor;
  for (WireReader reader(bytes); !reader.done();) {
    uint64_t key;
    if (!reader.Varint(&key) || !ReadField(&reader, static_cast<uint32_t>(key >> 3), key & 7, &tensor)) {
      return MICRORT_ERROR(kInvalidArgument, "%s: not a TensorProto", what.c_str());
    }
  }
  constexpr size_t kTypes = sizeof kOnnxTypes / sizeof kOnnxTypes[0];
  NamedArray array{tensor.name, DType::kUnknown, tensor.dims, {}};
  if (tensor.data_type < kTypes) array.dtype = kOnnxTypes[tensor.data_type];
  if (array.dtype == DType::kUnknown || tensor.external) {
    return MICRORT_ERROR(kInvalidArgument, "%s: ONNX element type %llu%s not supported", what.c_str(),
                         static_cast<unsigned long long>(tensor.data_type),
                         tensor.external ? " with external data" : "");
  }
  array.data = std::move(tensor.raw);
  if (!tensor.has_raw) {
    // Every integer type narrower than 64 bits, and halves as bit patterns, are stored as varints.
    for (uint64_t v : tensor.varints) {
      const auto* low = reinterpret_cast<const uint8_t*>(&v);
      array.data.insert(array.data.end(), low, low + SizeOf(array.dtype));
    }
  }
  MICRORT_RETURN_IF_ERROR(CheckArrayBytes(what, array.dtype, array.shape, array.data.size()));
  *out = std::move(array);
  return Status();
}

}  // namespace micrort::io
