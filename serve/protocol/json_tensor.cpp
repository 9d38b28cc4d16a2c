#include "serve/protocol/json_tensor.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "kernels/base/half.h"
#include "kernels/base/shape.h"
#include "serve/protocol/data_type.h"

namespace micrort::serve {
namespace {

using Json = nlohmann::json;

std::string Shown(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 60) + "...";
  return text;
}

template <typename T>
bool FitsInteger(const Json& value, T* out) {
  if (value.is_number_unsigned()) {
    const uint64_t n = value.get<uint64_t>();
    *out = static_cast<T>(n);
    return n <= static_cast<uint64_t>(std::numeric_limits<T>::max());
  }
  if (!value.is_number_integer()) return false;
  const int64_t n = value.get<int64_t>();
  *out = static_cast<T>(n);
  // Integers of JSON that are not unsigned are negative.
  return std::is_signed_v<T> && n >= static_cast<int64_t>(std::numeric_limits<T>::min());
}

bool FitsElement(const Json& value, uint64_t* out) { return FitsInteger(value, out); }
template <typename T>
bool FitsElement(const Json& value, T* out) {
  if constexpr (std::is_floating_point_v<T>) {
    if (!value.is_number()) return false;
    const double n = value.get<double>();
    *out = static_cast<T>(n);
    return std::isfinite(*out) || !std::isfinite(n);
  } else {
    return FitsInteger(value, out);
  }
}

// Elements that are stored otherwise than they are written.
struct Half {
  uint16_t bits;
};
struct BFloat16 {
  uint16_t bits;
};
struct Bool {
  uint8_t value;
};
bool FitsElement(const Json& value, Half* out) {
  float f = 0;
  if (!FitsElement(value, &f)) return false;
  out->bits = FloatToHalf(f);
  return std::isfinite(HalfToFloat(out->bits)) || !std::isfinite(f);
}
bool FitsElement(const Json& value, BFloat16* out) {
  float f = 0;
  if (!FitsElement(value, &f)) return false;
  out->bits = FloatToBFloat16(f);
  return true;
}
bool FitsElement(const Json& value, Bool* out) {
  if (value.is_boolean()) {
    out->value = value.get<bool>() ? 1 : 0;
    return true;
  }
  return FitsElement(value, &out->value) && out->value <= 1;
}

// Takes elements in row-major order.
template <typename T>
class Reader {
 public:
  explicit Reader(Tensor* tensor) : tensor_(tensor), to_(tensor->owned.data()) {}

  Error ReadFlat(const Json& list) {
    for (const Json& value : list) MICRORT_SERVE_RETURN_IF_ERROR(ReadElement(value));
    return {};
  }

  Error ReadNested(const Json& value, size_t dim) {
    if (dim == tensor_->shape.size()) return ReadElement(value);
    if (!value.is_array() || static_cast<int64_t>(value.size()) != tensor_->shape[dim]) {
      return Invalid(Prefix() + "expected a list of " + std::to_string(tensor_->shape[dim]) +
                     " in dimension " + std::to_string(dim) + " of shape " + ShapeText(tensor_->shape) +
                     ", found " +
                     (value.is_array() ? "a list of " + std::to_string(value.size()) : Shown(value)));
    }
    for (const Json& inside : value) MICRORT_SERVE_RETURN_IF_ERROR(ReadNested(inside, dim + 1));
    return {};
  }

 private:
  std::string Prefix() const { return "tensor '" + tensor_->name + "': "; }
  Error ReadElement(const Json& value) {
    T element;
    if (!FitsElement(value, &element))
      return Invalid(Prefix() + Shown(value) + " is no " + ProtocolName(tensor_->dtype));
    std::memcpy(to_, &element, sizeof element);
    to_ += sizeof element;
    return {};
  }

  Tensor* tensor_;
  uint8_t* to_;
};

bool IsFlat(const Json& value) { return value.is_array() && (value.empty() || !value[0].is_array()); }

// Before memory is taken: as many elements as the shape promises, as far as the first list of each dimension
// tells.
Error CheckCount(const Json& value, const Tensor& tensor, size_t elements) {
  if (IsFlat(value) && tensor.shape.size() != 1) {
    if (value.size() == elements) return {};
    return Invalid("tensor '" + tensor.name + "': expected " + std::to_string(elements) +
                   " elements for shape " + ShapeText(tensor.shape) + ", found " +
                   std::to_string(value.size()));
  }
  std::vector<int64_t> found;
  MICRORT_SERVE_RETURN_IF_ERROR(NestedShape(tensor.name, value, &found));
  if (found == tensor.shape || (elements == 0 && found.size() <= tensor.shape.size())) return {};
  return Invalid("tensor '" + tensor.name + "': expected lists of shape " + ShapeText(tensor.shape) +
                 ", found " + ShapeText(found));
}

template <typename T>
Error Read(const Json& value, Tensor* tensor) {
  Reader<T> reader(tensor);
  if (IsFlat(value) && tensor->shape.size() != 1) return reader.ReadFlat(value);
  return reader.ReadNested(value, 0);
}

template <typename T>
void AppendNumber(const uint8_t* data, std::string* text) {
  T value;
  std::memcpy(&value, data, sizeof value);
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(value)) {
      *text += "null";
      return;
    }
  }
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  text->append(buffer, end);
}

void AppendElement(DType dtype, const uint8_t* data, std::string* text) {
  uint16_t bits = 0;
  float wide = 0;
  switch (dtype) {
    case DType::kBool:
      *text += *data != 0 ? "true" : "false";
      return;
    case DType::kFloat16:
    case DType::kBFloat16:
      std::memcpy(&bits, data, sizeof bits);
      wide = dtype == DType::kFloat16 ? HalfToFloat(bits) : BFloat16ToFloat(bits);
      return AppendNumber<float>(reinterpret_cast<const uint8_t*>(&wide), text);
    case DType::kInt8:
      return AppendNumber<int8_t>(data, text);
    case DType::kUInt8:
      return AppendNumber<uint8_t>(data, text);
    case DType::kInt16:
      return AppendNumber<int16_t>(data, text);
    case DType::kUInt16:
      return AppendNumber<uint16_t>(data, text);
    case DType::kInt32:
      return AppendNumber<int32_t>(data, text);
    case DType::kUInt32:
      return AppendNumber<uint32_t>(data, text);
    case DType::kInt64:
      return AppendNumber<int64_t>(data, text);
    case DType::kUInt64:
      return AppendNumber<uint64_t>(data, text);
    case DType::kFloat32:
      return AppendNumber<float>(data, text);
    case DType::kFloat64:
      return AppendNumber<double>(data, text);
    case DType::kUnknown:
    case DType::kInt4:
      break;
  }
  *text += "null";
}

// Appends dimensions from `dim` on; returns the data behind them.
const uint8_t* AppendDims(const Tensor& tensor, size_t dim, const uint8_t* data, std::string* text) {
  if (dim == tensor.shape.size()) {
    AppendElement(tensor.dtype, data, text);
    return data + SizeOf(tensor.dtype);
  }
  *text += '[';
  for (int64_t i = 0; i < tensor.shape[dim]; ++i) {
    if (i != 0) *text += ',';
    data = AppendDims(tensor, dim + 1, data, text);
  }
  *text += ']';
  return data;
}

}  // namespace

Error ParseElements(const Json& value, size_t max_bytes, Tensor* tensor) {
  size_t bytes = 0;
  MICRORT_SERVE_RETURN_IF_ERROR(TensorBytes(tensor->name, tensor->dtype, tensor->shape, max_bytes, &bytes));
  const size_t element_bytes = SizeOf(tensor->dtype);
  MICRORT_SERVE_RETURN_IF_ERROR(CheckCount(value, *tensor, element_bytes == 0 ? 0 : bytes / element_bytes));
  tensor->Own(bytes);
  switch (tensor->dtype) {
    case DType::kBool:
      return Read<Bool>(value, tensor);
    case DType::kFloat16:
      return Read<Half>(value, tensor);
    case DType::kBFloat16:
      return Read<BFloat16>(value, tensor);
    case DType::kInt8:
      return Read<int8_t>(value, tensor);
    case DType::kUInt8:
      return Read<uint8_t>(value, tensor);
    case DType::kInt16:
      return Read<int16_t>(value, tensor);
    case DType::kUInt16:
      return Read<uint16_t>(value, tensor);
    case DType::kInt32:
      return Read<int32_t>(value, tensor);
    case DType::kUInt32:
      return Read<uint32_t>(value, tensor);
    case DType::kInt64:
      return Read<int64_t>(value, tensor);
    case DType::kUInt64:
      return Read<uint64_t>(value, tensor);
    case DType::kFloat32:
      return Read<float>(value, tensor);
    case DType::kFloat64:
      return Read<double>(value, tensor);
    case DType::kUnknown:
    case DType::kInt4:
      break;
  }
  return Invalid("tensor '" + tensor->name + "': elements of this type cannot be given");
}

Error NestedShape(const std::string& name, const Json& value, std::vector<int64_t>* shape) {
  shape->clear();
  for (const Json* inside = &value; inside->is_array(); inside = &(*inside)[0]) {
    if (shape->size() == kMaxRank)
      return Invalid("tensor '" + name + "': lists are deeper than " + std::to_string(kMaxRank));
    shape->push_back(static_cast<int64_t>(inside->size()));
    if (inside->empty()) break;
  }
  return {};
}

void AppendFlat(const Tensor& tensor, std::string* text) {
  const size_t step = SizeOf(tensor.dtype);
  *text += '[';
  for (size_t at = 0; at + step <= tensor.data.size(); at += step) {
    if (at != 0) *text += ',';
    AppendElement(tensor.dtype, tensor.data.data() + at, text);
  }
  *text += ']';
}

void AppendNested(const Tensor& tensor, std::string* text) {
  AppendDims(tensor, 0, tensor.data.data(), text);
}

void AppendRow(const Tensor& tensor, int64_t row, std::string* text) {
  const size_t row_bytes = tensor.data.size() / static_cast<size_t>(tensor.shape[0]);
  AppendDims(tensor, 1, tensor.data.data() + static_cast<size_t>(row) * row_bytes, text);
}

}  // namespace micrort::serve
