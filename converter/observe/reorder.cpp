#include "converter/observe/reorder.h"

#include <cstring>

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

Sample ToGraphOrder(const Sample& sample, const ir::Graph& graph) {
  Sample out = sample;
  for (size_t i = 0; i < sample.size(); ++i) {
    const std::vector<int>& order = graph.value(graph.inputs[i]).source_order;
    if (order.empty()) continue;
    out[i].data = ReorderDims(sample[i].data, sample[i].shape, order, SizeOf(sample[i].dtype));
    for (size_t d = 0; d < order.size(); ++d)
      out[i].shape[d] = sample[i].shape[static_cast<size_t>(order[d])];
  }
  return out;
}

}  // namespace micrort::observe
