#include "converter/passes/layout/storage_order.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace micrort::passes {

Order IdentityOrder(size_t rank) {
  Order order(rank);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

bool IsIdentity(const Order& order) { return order == IdentityOrder(order.size()); }

Order Inverse(const Order& order) {
  Order inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i) inverse[static_cast<size_t>(order[i])] = static_cast<int>(i);
  return inverse;
}

int PositionOf(const Order& order, int dim) {
  return static_cast<int>(std::find(order.begin(), order.end(), dim) - order.begin());
}

bool SameMemory(const std::vector<int64_t>& shape, const Order& a, const Order& b) {
  const auto significant = [&shape](const Order& order) {
    Order dims;
    for (int dim : order) {
      if (shape[static_cast<size_t>(dim)] != 1) dims.push_back(dim);
    }
    return dims;
  };
  return significant(a) == significant(b);
}

ir::Value Reordered(const ir::Value& value, const Order& order) {
  ir::Value result = value;
  result.data = nullptr;
  result.shape = Permuted(value.shape, order);
  if (!value.dim_names.empty()) result.dim_names = Permuted(value.dim_names, order);
  if (!value.max_shape.empty()) result.max_shape = Permuted(value.max_shape, order);
  if (value.quantization.axis >= 0) result.quantization.axis = PositionOf(order, value.quantization.axis);
  if (value.source_quantization.axis >= 0)
    result.source_quantization.axis = PositionOf(order, value.source_quantization.axis);
  result.source_order = value.source_order.empty() ? order : Permuted(value.source_order, order);
  return result;
}

ir::Bytes ReorderedData(const ir::Value& constant, const Order& order) {
  const size_t rank = order.size();
  std::vector<int64_t> shape(rank - constant.shape.size(), 1);
  shape.insert(shape.end(), constant.shape.begin(), constant.shape.end());

  std::vector<int64_t> strides(rank, 1);
  for (size_t i = rank; i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  const std::vector<int64_t> stored_shape = Permuted(shape, order);
  const std::vector<int64_t> stored_strides = Permuted(strides, order);

  const size_t element = SizeOf(constant.dtype);
  ir::Bytes result(constant.data->size());
  std::vector<int64_t> index(rank, 0);
  int64_t source = 0;
  for (size_t at = 0; at < result.size(); at += element) {
    std::memcpy(result.data() + at, constant.data->data() + static_cast<size_t>(source) * element, element);
    for (size_t i = rank; i-- > 0;) {
      source += stored_strides[i];
      if (++index[i] < stored_shape[i]) break;
      source -= stored_strides[i] * stored_shape[i];
      index[i] = 0;
    }
  }
  return result;
}

int64_t BytesOf(const ir::Value& value) {
  auto bytes = static_cast<int64_t>(SizeOf(value.dtype));
  for (int64_t dim : value.shape) bytes *= dim == ir::kDynamic ? 1 : dim;
  return bytes;
}

int64_t CostOfMoving(const ir::Value& value, const Order& from, const Order& to) {
  constexpr int64_t kScale = 16;  // the smallest copy outweighs several relabellings
  return SameMemory(value.shape, from, to) ? 1 : kScale * BytesOf(value);
}

}  // namespace micrort::passes
