#include "runtime/ops/encode_element.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/base/half.h"

namespace micrort {

namespace {

template <typename T>
void Store(T element, uint8_t* bytes) {
  std::memcpy(bytes, &element, sizeof element);
}

template <typename T>
void StoreSaturated(double value, uint8_t* bytes) {
  // The lowest value and 2^digits are exact in double; the highest value may not be.
  constexpr double kLow = static_cast<double>(std::numeric_limits<T>::lowest());
  constexpr double kEnd = 2.0 * static_cast<double>(T{1} << (std::numeric_limits<T>::digits - 1));
  if (std::isnan(value)) value = 0;
  if (value >= kEnd) return Store(std::numeric_limits<T>::max(), bytes);
  Store(static_cast<T>(value < kLow ? kLow : value), bytes);
}

}  // namespace

void EncodeElement(double value, const Tensor& tensor, uint8_t* bytes) {
  const QuantizationView& q = tensor.quantization;
  if (q.count == 1) value = std::nearbyint(value / static_cast<double>(q.scale())) + q.zero_point();
  switch (tensor.dtype) {
    case DType::kFloat32:
      return Store(static_cast<float>(value), bytes);
    case DType::kFloat64:
      return Store(value, bytes);
    case DType::kFloat16:
      return Store(FloatToHalf(static_cast<float>(value)), bytes);
    case DType::kBFloat16:
      return Store(FloatToBFloat16(static_cast<float>(value)), bytes);
    case DType::kBool:
      return Store<uint8_t>(value != 0, bytes);
    case DType::kInt8:
      return StoreSaturated<int8_t>(value, bytes);
    case DType::kUInt8:
      return StoreSaturated<uint8_t>(value, bytes);
    case DType::kInt16:
      return StoreSaturated<int16_t>(value, bytes);
    case DType::kUInt16:
      return StoreSaturated<uint16_t>(value, bytes);
    case DType::kInt32:
      return StoreSaturated<int32_t>(value, bytes);
    case DType::kUInt32:
      return StoreSaturated<uint32_t>(value, bytes);
    case DType::kInt64:
      return StoreSaturated<int64_t>(value, bytes);
    case DType::kUInt64:
      return StoreSaturated<uint64_t>(value, bytes);
    case DType::kUnknown:
    case DType::kInt4:
      return;
  }
}

}  // namespace micrort
