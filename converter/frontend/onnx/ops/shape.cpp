// Operators that change or read shapes and move no element.

#include "kernels/base/shape.h"

#include <algorithm>
#include <numeric>

#include "converter/frontend/onnx/node_context.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

// Squeeze and Unsqueeze by axes that are no constant: a Reshape to a shape that small integer operators
// compute when shapes are planned. `axes` is a vector of `count` elements, >= 1.

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
  const ValueId wide = c.build.As(axes, DType::kInt64);
  const ValueId from_start = c.build.Mod(c.build.Add(wide, n), n);
  const ValueId row = c.build.Reshape(from_start, {1, count});
  const ValueId dims = Iota(c, rank, {rank, 1});
  const auto count_where = [&](BinaryKind compare, ReduceKind reduce) {
    const ValueId hits = c.build.Cast(c.build.Binary(compare, row, dims), DType::kInt64);
    return c.build.Reduce(reduce, hits, {1}, false);
  };
  return {count_where(BinaryKind::Equal, ReduceKind::Max), count_where(BinaryKind::Less, ReduceKind::Sum)};
}

// Output dimension j is the input dimension that is not named and has j others like it before.
ValueId SqueezeComputed(NodeContext& c, ValueId x, ValueId axes, int count) {
  const int rank = c.value(x).rank();
  const int left = rank - count;
  if (left <= 0) return c.build.Reshape(x, {});
  const NamedDims named = Locate(c, axes, count, rank);
  const ValueId place = c.build.Sub(Iota(c, rank, {rank}), named.before);
  const ValueId is_place = c.build.Equal(place, Iota(c, left, {left, 1}));
  const ValueId is_kept = c.build.Equal(named.is_named, c.build.Integers({0}));
  const ValueId hit = c.build.And(is_place, is_kept);
  const ValueId zero = c.build.Integers({0});
  const ValueId sizes = c.build.Select({hit, c.build.ShapeOf(x), zero});
  return c.build.ReshapeTo(x, c.build.Reduce(ReduceKind::Sum, sizes, {1}, false));
}

// Output dimension i is 1 where it is named, else the input dimension at i less the axes before.
ValueId UnsqueezeComputed(NodeContext& c, ValueId x, ValueId axes, int count) {
  const int rank = c.value(x).rank() + count;
  const NamedDims named = Locate(c, axes, count, rank);
  const ValueId place = c.build.Sub(Iota(c, rank, {rank}), named.before);
  // What named dimensions look up does not matter, but it must exist.
  std::vector<int64_t> padding(static_cast<size_t>(count), 1);
  const ValueId sizes = c.build.Concat({c.build.ShapeOf(x), c.build.Integers(padding)}, 0);
  const ValueId one = c.build.Integers({1});
  const ValueId is_named = c.build.Equal(named.is_named, one);
  return c.build.ReshapeTo(x, c.build.If(is_named, one, c.build.Gather(sizes, place, 0)));
}

// ONNX's list (0: as in the input, unless allow_zero) as ReshapeOptions.shape.
Status EncodeShape(const std::vector<int64_t>& shape, bool allow_zero, std::vector<int32_t>* out) {
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < -1) return Invalid("dimension {} in the new shape", shape[i]);
    MICRORT_ASSIGN_OR_RETURN(const int32_t code, ToInt32(shape[i], "dimension"));
    out->push_back(code == 0 && !allow_zero ? CopyDim(static_cast<int>(i)) : code);
  }
  return Status();
}

// The new shape is an attribute up to opset 4, input 1 later.
Status ImportReshape(NodeContext& c) {
  const bool allow_zero = c.Int("allowzero", 0) != 0;
  const bool has_attribute = c.opset() < 5;
  if (has_attribute == c.has_input(1)) return Invalid("expected one new shape");
  std::vector<int64_t> shape = c.Ints("shape");
  if (has_attribute || ir::IntegersOf(c.x(1), &shape)) {
    std::vector<int32_t> codes;
    MICRORT_RETURN_IF_ERROR(EncodeShape(shape, allow_zero, &codes));
    return c.Return(c.build.Reshape(c.input(0), codes));
  }
  schema::ReshapeOptionsT options;
  options.allow_zero = allow_zero;
  return c.Return(c.build.Add(std::move(options), {c.input(0), c.input(1)}));
}

Status ImportFlatten(NodeContext& c) {
  const int rank = c.x().rank();
  const int64_t given = c.Int("axis", 1);
  int axis = rank;
  if (given != rank) MICRORT_RETURN_IF_ERROR(Take(c.Axis(given, std::max(rank, 1)), &axis));
  return c.Return(FlattenAt(c, c.input(0), axis));
}

// Whether axes are input 1, and computed as the model is planned. Their number must be fixed, for it decides
// the output's rank.
Result<int> ReadComputedAxes(const NodeContext& c) {
  int count = 0;
  count = 0;
  if (!c.has_input(1) || c.x(1).is_constant()) return count;
  if (c.x(1).rank() > 1 || !c.x(1).is_static()) return Unsupported("the number of axes is not fixed");
  const int64_t elements = c.x(1).elements();
  if (elements > kMaxRank) return Unsupported("{} axes", elements);
  return static_cast<int>(elements);
}

// Axes are an attribute up to opset 12, input 1 later.
Result<std::vector<int32_t>> ReadAxes(NodeContext& c, int rank, bool* given) {
  std::vector<int64_t> list;
  *given = c.Has("axes") || c.has_input(1);
  if (c.has_input(1) && c.x(1).is_constant())
    MICRORT_RETURN_IF_ERROR(Take(c.ConstantIntegers(1), &list));
  else {
    list = c.Ints("axes");
  }
  return c.Axes(list, rank);
}

Status ImportSqueeze(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(int computed, ReadComputedAxes(c));
  if (computed > 0) return c.Return(SqueezeComputed(c, c.input(0), c.input(1), computed));
  const std::vector<int64_t>& dims = c.x().shape;
  bool given = false;
  MICRORT_ASSIGN_OR_RETURN(std::vector<int32_t> axes, ReadAxes(c, c.x().rank(), &given));
  if (!given && !c.x().is_static()) return Unsupported("without axes, it needs an input of fixed shape");
  std::vector<int32_t> shape;
  for (int i = 0; i < c.x().rank(); ++i) {
    const int64_t dim = dims[static_cast<size_t>(i)];
    const bool listed = std::find(axes.begin(), axes.end(), i) != axes.end();
    if (listed && dim != 1 && dim != ir::kDynamic)
      return Invalid("dimension {} has size {}, expected 1", i, dim);
    if (!listed && (given || dim != 1)) shape.push_back(CopyDim(i));
  }
  return c.Return(c.build.Reshape(c.input(0), shape));
}

Status ImportUnsqueeze(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(int computed, ReadComputedAxes(c));
  if (computed > 0) return c.Return(UnsqueezeComputed(c, c.input(0), c.input(1), computed));
  std::vector<int64_t> list = c.Ints("axes");
  if (c.has_input(1) && c.x(1).is_constant()) MICRORT_RETURN_IF_ERROR(Take(c.ConstantIntegers(1), &list));
  const int rank = c.x().rank() + static_cast<int>(std::min<size_t>(list.size(), kMaxRank));
  MICRORT_ASSIGN_OR_RETURN(std::vector<int32_t> axes, c.Axes(list, rank));
  if (axes.size() != list.size()) return Invalid("an axis is listed twice");
  std::vector<int32_t> shape;
  int from = 0;
  for (int i = 0; i < rank; ++i) {
    const bool added = std::find(axes.begin(), axes.end(), i) != axes.end();
    shape.push_back(added ? 1 : CopyDim(from++));
  }
  return c.Return(c.build.Reshape(c.input(0), shape));
}

int64_t ClampIndex(int64_t i, int64_t rank) { return std::clamp<int64_t>(i < 0 ? i + rank : i, 0, rank); }

Status ImportShape(NodeContext& c) {
  const int64_t rank = c.x().rank();
  schema::ShapeOptionsT options;
  options.start = static_cast<int32_t>(ClampIndex(c.Int("start", 0), rank));
  options.end = static_cast<int32_t>(ClampIndex(c.Int("end", rank), rank));
  return c.Return(c.build.Add(std::move(options), {c.input(0)}));
}

Status ImportSize(NodeContext& c) {
  return c.Return(c.build.Reduce(schema::ReduceKind::Prod, c.build.ShapeOf(c.input(0)), {0}, false));
}

Status ImportExpand(NodeContext& c) {
  std::vector<int64_t> shape;
  if (!ir::IntegersOf(c.x(1), &shape)) return c.Return(c.build.Expand({c.input(0), c.input(1)}));
  schema::ExpandOptionsT options;
  MICRORT_RETURN_IF_ERROR(EncodeShape(shape, true, &options.shape));
  return c.Return(c.build.Add(std::move(options), {c.input(0)}));
}

// Opset 1: a number of copies, and the axis along which they follow each other.
Status ImportTileV1(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> tiles, c.ConstantIntegers(1));
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> axes, c.ConstantIntegers(2));
  if (tiles.size() != 1 || axes.size() != 1) return Invalid("expected a number of tiles and an axis");
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(axes[0], c.x().rank()));
  schema::TileOptionsT options;
  options.repeats.assign(static_cast<size_t>(c.x().rank()), 1);
  MICRORT_ASSIGN_OR_RETURN(options.repeats[static_cast<size_t>(axis)], ToInt32(tiles[0], "tiles"));
  return c.Return(c.build.Add(std::move(options), {c.input(0)}));
}

Status ImportTile(NodeContext& c) {
  if (c.opset() < 6 && c.has_input(2)) return ImportTileV1(c);
  std::vector<int64_t> repeats;
  schema::TileOptionsT options;
  if (!ir::IntegersOf(c.x(1), &repeats)) return c.Return(c.build.Add(std::move(options), c.inputs()));
  for (int64_t n : repeats) {
    options.repeats.push_back(0);
    MICRORT_ASSIGN_OR_RETURN(options.repeats.back(), ToInt32(n, "repeats"));
  }
  return c.Return(c.build.Add(std::move(options), {c.input(0)}));
}

Status ImportIdentity(NodeContext& c) { return c.Return(c.input(0)); }

}  // namespace

const ImporterList ShapeImporters = {
    {"Expand", 2, 2, ImportExpand, Types(kAllTypes)},
    {"Flatten", 1, 1, ImportFlatten},
    {"Identity", 1, 1, ImportIdentity},
    {"Reshape", 1, 2, ImportReshape, Types(kAllTypes)},
    {"Shape", 1, 1, ImportShape},
    {"Size", 1, 1, ImportSize},
    {"Squeeze", 1, 2, ImportSqueeze, "without axes, an input without fixed shape"},
    {"Tile", 2, 3, ImportTile, Types(kAllTypes)},
    {"Unsqueeze", 1, 2, ImportUnsqueeze},
};

}  // namespace micrort::frontend::onnx
