#include "converter/frontend/onnx/ops/reshape.h"

#include <algorithm>
#include <limits>

namespace micrort::frontend {

namespace {

// The product of dims [begin, end) as a list entry; kInferDim if it is not fixed or too large.
int32_t Product(const std::vector<int64_t>& dims, size_t begin, size_t end) {
  int64_t n = 1;
  for (size_t i = begin; i < end; ++i) {
    if (dims[i] == ir::kDynamic) return kInferDim;
    n *= dims[i];
    if (n > std::numeric_limits<int32_t>::max()) return kInferDim;
  }
  return static_cast<int32_t>(n);
}

}  // namespace

ir::ValueId ReshapeLike(NodeContext& c, ir::ValueId x, ir::ValueId like) {
  const std::vector<int64_t>& dims = c.value(like).shape;
  // A dynamic dimension, kDynamic, reads as "inferred" in the list; only one may be.
  if (std::count(dims.begin(), dims.end(), ir::kDynamic) <= 1) {
    return c.build.Reshape(x, std::vector<int32_t>(dims.begin(), dims.end()));
  }
  return c.build.Add(schema::ReshapeOptionsT(), {x, c.build.ShapeOf(like)});
}

ir::ValueId FlattenAt(NodeContext& c, ir::ValueId x, int axis) {
  const std::vector<int64_t>& dims = c.value(x).shape;
  const auto at = static_cast<size_t>(axis);
  const int32_t rows = axis == 1 && dims[0] == ir::kDynamic ? CopyDim(0) : Product(dims, 0, at);
  const int32_t columns = Product(dims, at, dims.size());
  if (rows != kInferDim || columns != kInferDim) return c.build.Reshape(x, {rows, columns});
  const ir::ValueId leading = c.build.Slice(c.build.ShapeOf(x), 0, 0, axis);
  const ir::ValueId product = c.build.Reduce(schema::ReduceKind::Prod, leading, {0}, true);
  const ir::ValueId shape = c.build.Concat({product, c.build.Integers({-1})}, 0);
  return c.build.Add(schema::ReshapeOptionsT(), {x, shape});
}

}  // namespace micrort::frontend
