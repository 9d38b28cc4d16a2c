#include "tools/io/array.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/base/half.h"

namespace micrort::io {
namespace {

double ReadElement(const uint8_t* data, DType dtype, size_t i) {
  const auto read = [&](auto zero) {
    std::memcpy(&zero, data + i * sizeof zero, sizeof zero);
    return zero;
  };
  switch (dtype) {
    case DType::kFloat32:
      return read(float{});
    case DType::kFloat64:
      return read(double{});
    case DType::kFloat16:
      return HalfToFloat(read(uint16_t{}));
    case DType::kBFloat16:
      return BFloat16ToFloat(read(uint16_t{}));
    case DType::kInt8:
      return read(int8_t{});
    case DType::kUInt8:
    case DType::kBool:
      return read(uint8_t{});
    case DType::kInt16:
      return read(int16_t{});
    case DType::kUInt16:
      return read(uint16_t{});
    case DType::kInt32:
      return read(int32_t{});
    case DType::kUInt32:
      return read(uint32_t{});
    case DType::kInt64:
      return static_cast<double>(read(int64_t{}));
    case DType::kUInt64:
      return static_cast<double>(read(uint64_t{}));
    case DType::kUnknown:
    case DType::kInt4:
      break;
  }
  return 0;
}

template <typename T>
bool WriteInteger(double value, uint8_t* out) {
  constexpr double kLow = static_cast<double>(std::numeric_limits<T>::min());
  constexpr double kHigh = static_cast<double>(std::numeric_limits<T>::max());
  if (!(value >= kLow && value <= kHigh) || value != std::floor(value) || std::fabs(value) > 0x1p53)
    return false;
  const T typed = static_cast<T>(value);
  std::memcpy(out, &typed, sizeof typed);
  return true;
}

bool WriteElement(double value, DType dtype, uint8_t* out) {
  const auto write = [&](auto typed) {
    std::memcpy(out, &typed, sizeof typed);
    return true;
  };
  switch (dtype) {
    case DType::kFloat32:
      return write(static_cast<float>(value));
    case DType::kFloat64:
      return write(value);
    case DType::kFloat16:
      return write(FloatToHalf(static_cast<float>(value)));
    case DType::kBFloat16:
      return write(FloatToBFloat16(static_cast<float>(value)));
    case DType::kInt8:
      return WriteInteger<int8_t>(value, out);
    case DType::kUInt8:
      return WriteInteger<uint8_t>(value, out);
    case DType::kInt16:
      return WriteInteger<int16_t>(value, out);
    case DType::kUInt16:
      return WriteInteger<uint16_t>(value, out);
    case DType::kInt32:
      return WriteInteger<int32_t>(value, out);
    case DType::kUInt32:
      return WriteInteger<uint32_t>(value, out);
    case DType::kInt64:
      return WriteInteger<int64_t>(value, out);
    case DType::kUInt64:
      return WriteInteger<uint64_t>(value, out);
    case DType::kBool:
      return (value == 0 || value == 1) && WriteInteger<uint8_t>(value, out);
    case DType::kUnknown:
    case DType::kInt4:
      break;
  }
  return false;
}

}  // namespace

std::string ShapeText(const std::vector<int64_t>& shape) {
  if (shape.empty()) return "scalar";
  std::string text;
  for (size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : "x") + (shape[i] < 0 ? std::string("?") : std::to_string(shape[i]));
  }
  return text;
}

Status CheckArrayBytes(const std::string& what, DType dtype, const std::vector<int64_t>& shape,
                       size_t bytes) {
  if (shape.size() > static_cast<size_t>(kMaxRank)) {
    return MICRORT_ERROR(kInvalidArgument, "%s: expected at most %d dimensions, found %zu", what.c_str(),
                         kMaxRank, shape.size());
  }
  Shape s;
  for (int64_t d : shape) s.dims[s.rank++] = d;
  int64_t elements = 0;
  if (SizeOf(dtype) == 0 || !s.CheckedElements(SizeOf(dtype), &elements)) {
    return MICRORT_ERROR(kInvalidArgument, "%s: shape %s of %s is not a possible array", what.c_str(),
                         ShapeText(shape).c_str(), Name(dtype));
  }
  const size_t expected = static_cast<size_t>(elements) * SizeOf(dtype);
  if (expected != bytes) {
    return MICRORT_ERROR(kInvalidArgument, "%s: shape %s of %s needs %zu bytes of data, found %zu",
                         what.c_str(), ShapeText(shape).c_str(), Name(dtype), expected, bytes);
  }
  return Status();
}

Status ConvertArray(const NamedArray& from, DType dtype, NamedArray* out) {
  NamedArray converted{from.name, dtype, from.shape, {}};
  if (from.dtype == dtype) {
    converted.data = from.data;
    converted.stored = from.stored;
  } else {
    const size_t n = from.elements();
    converted.stored = from.dtype;
    converted.data.resize(n * SizeOf(dtype));
    for (size_t i = 0; i < n; ++i) {
      const double value = ReadElement(from.data.data(), from.dtype, i);
      if (!WriteElement(value, dtype, converted.data.data() + i * SizeOf(dtype))) {
        return MICRORT_ERROR(kInvalidArgument, "element %zu of the %s array is %g, which %s cannot hold", i,
                             Name(from.dtype), value, Name(dtype));
      }
    }
  }
  *out = std::move(converted);
  return Status();
}

}  // namespace micrort::io
