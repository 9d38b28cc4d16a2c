#include "converter/frontend/onnx/ops/computed_axes.h"

#include <numeric>

namespace micrort::frontend::onnx {

namespace {

using ir::ValueId;
using schema::BinaryKind;
using schema::ReduceKind;

// 0, 1 ... n - 1 in the given shape.
ValueId Iota(NodeContext& c, int n, std::vector<int64_t> shape) {
  std::vector<int64_t> elements(static_cast<size_t>(n));
  std::iota(elements.begin(), elements.end(), 0);
  return c.build.Constant(std::move(shape), elements);
}

// What is known of each of the `rank` dimensions that axes name: vectors of int64.
struct NamedDims {
  ValueId is_named;  // 1 or 0
  ValueId before;    // the number of axes below it
};

NamedDims Locate(NodeContext& c, ValueId axes, int count, int rank) {
  const ValueId n = c.build.Integers({rank});
  const ValueId wide = c.value(axes).dtype == DType::kInt64 ? axes : c.build.Cast(axes, DType::kInt64);
  const ValueId from_start = c.build.Binary(BinaryKind::Mod, c.build.Binary(BinaryKind::Add, wide, n), n);
  const ValueId row = c.build.Reshape(from_start, {1, count});
  const ValueId dims = Iota(c, rank, {rank, 1});
  const auto count_where = [&](BinaryKind compare, ReduceKind reduce) {
    const ValueId hits = c.build.Cast(c.build.Binary(compare, row, dims), DType::kInt64);
    return c.build.Reduce(reduce, hits, {1}, false);
  };
  return {count_where(BinaryKind::Equal, ReduceKind::Max), count_where(BinaryKind::Less, ReduceKind::Sum)};
}

ValueId ReshapeTo(NodeContext& c, ValueId x, ValueId shape) {
  schema::ReshapeOptionsT options;
  options.allow_zero = true;
  return c.build.Add(std::move(options), {x, shape});
}

ValueId Select(NodeContext& c, ValueId condition, ValueId yes, ValueId no) {
  return c.build.Add(schema::SelectOptionsT(), {condition, yes, no});
}

}  // namespace

// Output dimension j is the input dimension that is not named and has j others like it before.
ValueId SqueezeComputed(NodeContext& c, ValueId x, ValueId axes, int count) {
  const int rank = c.value(x).rank();
  const int left = rank - count;
  if (left <= 0) return c.build.Reshape(x, {});
  const NamedDims named = Locate(c, axes, count, rank);
  const ValueId place = c.build.Binary(BinaryKind::Sub, Iota(c, rank, {rank}), named.before);
  const ValueId is_place = c.build.Binary(BinaryKind::Equal, place, Iota(c, left, {left, 1}));
  const ValueId is_kept = c.build.Binary(BinaryKind::Equal, named.is_named, c.build.Integers({0}));
  const ValueId hit = c.build.Binary(BinaryKind::And, is_place, is_kept);
  const ValueId sizes = Select(c, hit, c.build.ShapeOf(x), c.build.Integers({0}));
  return ReshapeTo(c, x, c.build.Reduce(ReduceKind::Sum, sizes, {1}, false));
}

// Output dimension i is 1 where it is named, else the input dimension at i less the axes before.
ValueId UnsqueezeComputed(NodeContext& c, ValueId x, ValueId axes, int count) {
  const int rank = c.value(x).rank() + count;
  const NamedDims named = Locate(c, axes, count, rank);
  const ValueId place = c.build.Binary(BinaryKind::Sub, Iota(c, rank, {rank}), named.before);
  // What named dimensions look up does not matter, but it must exist.
  std::vector<int64_t> padding(static_cast<size_t>(count), 1);
  const ValueId sizes = c.build.Concat({c.build.ShapeOf(x), c.build.Integers(padding)}, 0);
  const ValueId one = c.build.Integers({1});
  const ValueId is_named = c.build.Binary(BinaryKind::Equal, named.is_named, one);
  return ReshapeTo(c, x, Select(c, is_named, one, c.build.Gather(sizes, place, 0)));
}

}  // namespace micrort::frontend::onnx
