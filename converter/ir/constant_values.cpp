#include "converter/ir/constant_values.h"

#include "kernels/base/half.h"

namespace micrort::ir {

namespace {

// ElementT: as stored; convert: to the type of *out.
template <typename ElementT, typename OutT, typename F>
bool Read(const Value& value, F convert, std::vector<OutT>* out) {
  const auto* elements = value.as<ElementT>();
  out->clear();
  for (int64_t i = 0; i < value.elements(); ++i) out->push_back(convert(elements[i]));
  return true;
}

}  // namespace

bool IntegersOf(const Value& value, std::vector<int64_t>* out) {
  if (!value.is_constant()) return false;
  const auto widen = [](auto v) { return static_cast<int64_t>(v); };
  switch (value.dtype) {
    case DType::kInt32:
      return Read<int32_t>(value, widen, out);
    case DType::kInt64:
      return Read<int64_t>(value, widen, out);
    default:
      return false;
  }
}

bool AnyIntegersOf(const Value& value, std::vector<int64_t>* out) {
  if (!value.is_constant()) return false;
  const auto widen = [](auto v) { return static_cast<int64_t>(v); };
  switch (value.dtype) {
    case DType::kInt8:
      return Read<int8_t>(value, widen, out);
    case DType::kUInt8:
      return Read<uint8_t>(value, widen, out);
    case DType::kInt16:
      return Read<int16_t>(value, widen, out);
    case DType::kUInt16:
      return Read<uint16_t>(value, widen, out);
    case DType::kUInt32:
      return Read<uint32_t>(value, widen, out);
    case DType::kUInt64:
      return Read<uint64_t>(value, widen, out);
    default:
      return IntegersOf(value, out);
  }
}

bool FloatsOf(const Value& value, std::vector<float>* out) {
  if (!value.is_constant()) return false;
  const auto narrow = [](auto v) { return static_cast<float>(v); };
  switch (value.dtype) {
    case DType::kFloat32:
      return Read<float>(value, narrow, out);
    case DType::kFloat64:
      return Read<double>(value, narrow, out);
    case DType::kFloat16:
      return Read<uint16_t>(value, HalfToFloat, out);
    case DType::kBFloat16:
      return Read<uint16_t>(value, BFloat16ToFloat, out);
    default:
      return false;
  }
}

}  // namespace micrort::ir
