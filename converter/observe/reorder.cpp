#include "converter/observe/reorder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace micrort::observe {

std::vector<uint8_t> ReorderDims(const std::vector<uint8_t>& data, const std::vector<int64_t>& shape,
                                 const std::vector<int>& order, size_t element_bytes) {
  if (order.empty() || data.empty()) return data;
  const size_t rank = order.size();
  std::vector<int64_t> stride(rank, 1);  // of the argument's dimensions, in elements
  for (size_t i = rank; i-- > 1;) stride[i - 1] = stride[i] * shape[i];

  std::vector<uint8_t> out(data.size());
  std::vector<int64_t> index(rank, 0);  // of the result's dimensions
  for (size_t to = 0; to < data.size(); to += element_bytes) {
    int64_t from = 0;
    for (size_t i = 0; i < rank; ++i) from += index[i] * stride[static_cast<size_t>(order[i])];
    std::memcpy(&out[to], &data[static_cast<size_t>(from) * element_bytes], element_bytes);
    for (size_t i = rank; i-- > 0;) {
      if (++index[i] < shape[static_cast<size_t>(order[i])]) break;
      index[i] = 0;
    }
  }
  return out;
}

std::vector<int> InverseOrder(const std::vector<int>& order) {
  std::vector<int> inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i) inverse[static_cast<size_t>(order[i])] = static_cast<int>(i);
  return inverse;
}

namespace {

template <typename T>
void QuantizeTo(const ir::Quantization& q, io::NamedArray* array) {
  constexpr double kLowest = std::numeric_limits<T>::lowest(), kHighest = std::numeric_limits<T>::max();
  const double zero_point = q.zero_points.empty() ? 0 : q.zero_points[0];
  const size_t n = array->data.size() / sizeof(float);
  std::vector<uint8_t> bytes(n * sizeof(T));
  for (size_t i = 0; i < n; ++i) {
    float real = 0;
    std::memcpy(&real, &array->data[i * sizeof(float)], sizeof(float));
    const double quotient = static_cast<double>(real) / q.scales[0];
    // As Quantize rounds to these types.
    const double nearest = (sizeof(T) == 1 ? std::nearbyint(quotient) : std::round(quotient)) + zero_point;
    const T integer = static_cast<T>(std::min(std::max(nearest, kLowest), kHighest));
    std::memcpy(&bytes[i * sizeof(T)], &integer, sizeof(T));
  }
  array->data = std::move(bytes);
}

template <typename T>
void DequantizeFrom(const ir::Quantization& q, io::NamedArray* array) {
  const int32_t zero_point = q.zero_points.empty() ? 0 : q.zero_points[0];
  std::vector<uint8_t> floats(array->data.size() * sizeof(float));
  for (size_t i = 0; i < array->data.size(); ++i) {
    const float real = q.scales[0] * static_cast<float>(static_cast<T>(array->data[i]) - zero_point);
    std::memcpy(&floats[i * sizeof(float)], &real, sizeof(float));
  }
  array->data = std::move(floats);
}

void ToType(const ir::Value& value, io::NamedArray* array) {
  const DType from = array->dtype;
  if (from == value.dtype) return;
  array->dtype = value.dtype;
  if (value.dtype == DType::kFloat32) {
    from == DType::kInt8 ? DequantizeFrom<int8_t>(value.source_quantization, array)
                         : DequantizeFrom<uint8_t>(value.source_quantization, array);
  } else if (from == DType::kFloat32) {
    value.dtype == DType::kInt8    ? QuantizeTo<int8_t>(value.quantization, array)
    : value.dtype == DType::kInt16 ? QuantizeTo<int16_t>(value.quantization, array)
                                   : QuantizeTo<uint8_t>(value.quantization, array);
  } else {
    for (uint8_t& byte : array->data) byte = static_cast<uint8_t>(byte ^ 0x80);  // int8 and uint8
  }
}

}  // namespace

Sample ToGraphOrder(const Sample& sample, const ir::Graph& graph) {
  Sample out = sample;
  for (size_t i = 0; i < sample.size(); ++i) {
    const std::vector<int>& order = graph.value(graph.inputs[i]).source_order;
    if (!order.empty()) {
      out[i].data = ReorderDims(sample[i].data, sample[i].shape, order, SizeOf(sample[i].dtype));
      for (size_t d = 0; d < order.size(); ++d)
        out[i].shape[d] = sample[i].shape[static_cast<size_t>(order[d])];
    }
    ToType(graph.value(graph.inputs[i]), &out[i]);
  }
  return out;
}

std::vector<Sample> ToGraphOrder(const std::vector<Sample>& samples, const ir::Graph& graph) {
  std::vector<Sample> ordered;
  for (const Sample& sample : samples) ordered.push_back(ToGraphOrder(sample, graph));
  return ordered;
}

}  // namespace micrort::observe
