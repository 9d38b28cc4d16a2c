#include "converter/frontend/onnx/ops/reshape.h"

#include <algorithm>
#include <limits>

namespace micrort::frontend::onnx {

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

ir::ValueId ReshapeTo(NodeContext& c, ir::ValueId x, const std::vector<DimRange>& dims) {
  std::vector<int32_t> codes;
  std::vector<ir::ValueId> parts;
  for (const DimRange& d : dims) {
    const std::vector<int64_t>& shape = c.value(d.of).shape;
    if (shape.size() < static_cast<size_t>(d.end)) return x;  // after an error
    int32_t code = Product(shape, static_cast<size_t>(d.begin), static_cast<size_t>(d.end));
    if (code == kInferDim && d.of == x && d.end == d.begin + 1) code = CopyDim(d.begin);
    codes.push_back(code);
  }
  if (std::count(codes.begin(), codes.end(), kInferDim) <= 1) return c.build.Reshape(x, codes);
  for (const DimRange& d : dims) {
    ir::ValueId part = c.build.SizesOf(d.of, d.begin, d.end);
    if (d.end != d.begin + 1) part = c.build.Reduce(schema::ReduceKind::Prod, part, {0}, true);
    parts.push_back(part);
  }
  return c.build.Add(schema::ReshapeOptionsT(), {x, c.build.Concat(parts, 0)});
}

ir::ValueId ReshapeLike(NodeContext& c, ir::ValueId x, ir::ValueId like) {
  const std::vector<int64_t>& dims = c.value(like).shape;
  // A dynamic dimension, kDynamic, reads as "inferred" in the list; only one may be, and none beside a 0.
  const auto dynamic = std::count(dims.begin(), dims.end(), ir::kDynamic);
  if (dynamic == 0 || (dynamic == 1 && std::count(dims.begin(), dims.end(), 0) == 0))
    return c.build.Reshape(x, std::vector<int32_t>(dims.begin(), dims.end()));
  return c.build.Add(schema::ReshapeOptionsT(), {x, c.build.ShapeOf(like)});
}

ir::ValueId FlattenAt(NodeContext& c, ir::ValueId x, int axis) {
  const std::vector<int64_t>& dims = c.value(x).shape;
  const auto at = static_cast<size_t>(axis);
  const int32_t rows = axis == 1 && dims[0] == ir::kDynamic ? CopyDim(0) : Product(dims, 0, at);
  const int32_t columns = Product(dims, at, dims.size());
  if (rows != kInferDim || columns != kInferDim) return c.build.Reshape(x, {rows, columns});
  const ir::ValueId leading = c.build.SizesOf(x, 0, axis);
  const ir::ValueId product = c.build.Reduce(schema::ReduceKind::Prod, leading, {0}, true);
  const ir::ValueId shape = c.build.Concat({product, c.build.Integers({-1})}, 0);
  return c.build.Add(schema::ReshapeOptionsT(), {x, shape});
}

ir::ValueId ScalarAt(NodeContext& c, ir::ValueId vector, int64_t i) {
  return c.build.Gather(vector, c.build.Integer(i), 0);
}

ir::ValueId Arange(NodeContext& c, ir::ValueId count) {
  const DType dtype = c.value(count).dtype;
  return c.build.Range({c.Scalar(dtype, 0), count, c.Scalar(dtype, 1)});
}

// A slice from the sum of the sizes before it.
ir::ValueId PartBySizes(NodeContext& c, ir::ValueId x, ir::ValueId sizes, int axis, size_t i) {
  const auto sum_of_first = [&](size_t n) {
    const ir::ValueId first = c.build.Slice(sizes, 0, 0, static_cast<int64_t>(n));
    return c.build.Reduce(schema::ReduceKind::Sum, first, {0}, true);
  };
  const ir::ValueId start = sum_of_first(i), end = sum_of_first(i + 1);
  return c.build.Add(schema::SliceOptionsT(), {x, start, end, c.build.Integers({axis})});
}

}  // namespace micrort::frontend::onnx
