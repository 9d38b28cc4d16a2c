#include "tools/io/tensor_floats.h"

#include "kernels/base/half.h"

namespace micrort::io {
namespace {

template <typename T, typename F>
std::vector<float> Convert(const TensorView& tensor, F to_float) {
  const T* x = static_cast<const T*>(tensor.data);
  std::vector<float> out(tensor.elements());
  for (size_t i = 0; i < out.size(); ++i) out[i] = to_float(x[i]);
  return out;
}

template <typename T>
std::vector<float> ConvertNumbers(const TensorView& tensor) {
  if (tensor.quantization.count != 1) return Convert<T>(tensor, [](T v) { return static_cast<float>(v); });
  const double scale = static_cast<double>(tensor.quantization.scale());
  const double zero_point = tensor.quantization.zero_point();
  return Convert<T>(tensor,
                    [=](T v) { return static_cast<float>(scale * (static_cast<double>(v) - zero_point)); });
}

}  // namespace

std::vector<float> ToFloats(const TensorView& tensor) {
  switch (tensor.dtype) {
    case DType::kFloat32:
      return ConvertNumbers<float>(tensor);
    case DType::kFloat64:
      return ConvertNumbers<double>(tensor);
    case DType::kFloat16:
      return Convert<uint16_t>(tensor, HalfToFloat);
    case DType::kBFloat16:
      return Convert<uint16_t>(tensor, BFloat16ToFloat);
    case DType::kInt8:
      return ConvertNumbers<int8_t>(tensor);
    case DType::kUInt8:
    case DType::kBool:
      return ConvertNumbers<uint8_t>(tensor);
    case DType::kInt16:
      return ConvertNumbers<int16_t>(tensor);
    case DType::kUInt16:
      return ConvertNumbers<uint16_t>(tensor);
    case DType::kInt32:
      return ConvertNumbers<int32_t>(tensor);
    case DType::kUInt32:
      return ConvertNumbers<uint32_t>(tensor);
    case DType::kInt64:
      return ConvertNumbers<int64_t>(tensor);
    case DType::kUInt64:
      return ConvertNumbers<uint64_t>(tensor);
    case DType::kUnknown:
    case DType::kInt4:
      break;
  }
  return {};
}

}  // namespace micrort::io
