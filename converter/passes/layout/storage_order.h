#pragma once
// The order in which the dimensions of a value lie in memory.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::passes {

// Dimension i of the stored tensor is dimension order[i] of the value as the graph states it. Transposing a
// value by a permutation gives a value that, stored in the identity order, is the source in the order
// `permutation`.
using Order = std::vector<int>;

Order IdentityOrder(size_t rank);
bool IsIdentity(const Order& order);
Order Inverse(const Order& order);
// Position of dimension `dim` in memory.
int PositionOf(const Order& order, int dim);

template <typename T>
std::vector<T> Permuted(const std::vector<T>& per_dim, const Order& order) {
  std::vector<T> result;
  for (int dim : order) result.push_back(per_dim[static_cast<size_t>(dim)]);
  return result;
}

// Whether both orders put the elements of a tensor of this shape at the same places: they differ only in
// where they put dimensions of size 1.
bool SameMemory(const std::vector<int64_t>& shape, const Order& a, const Order& b);

// `value`, without its data, as it is when stored in `order`: shape, names of dimensions, quantization axis
// and relation to the source model follow.
ir::Value Reordered(const ir::Value& value, const Order& order);

// Elements of a constant stored in `order`, whose rank may exceed the constant's: ones are put in front.
ir::Bytes ReorderedData(const ir::Value& constant, const Order& order);

// Bytes that a copy of the value moves; dynamic dimensions count as 1.
int64_t BytesOf(const ir::Value& value);

// What it costs to store a value in another order than it is in. Grows with its bytes; least, but not
// nothing, where only dimensions of size 1 move, which takes no copy.
int64_t CostOfMoving(const ir::Value& value, const Order& from, const Order& to);

}  // namespace micrort::passes
