// Sums, and what is like them, of elements that belong together; counts.

#include <algorithm>

#include "converter/frontend/tensorflow/registry.h"
#include "converter/lower/empty_segment.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::ReduceKind;
using schema::ScatterReduction;

// data [n, rest] into [count, rest]. ids: int64 [n]; others than 0 to count - 1 are left out. count: int64
// [1].
ir::ValueId Scatter(OpContext& c, ir::ValueId data, ir::ValueId ids, ir::ValueId count, ir::ValueId initial,
                    ScatterReduction reduction) {
  ir::Builder& b = c.build;
  const ir::ValueId below = b.Less(ids, b.Integers({0}));
  const ir::ValueId above = b.GreaterOrEqual(ids, count);
  const ir::ValueId outside = b.Or(below, above);
  // One segment more takes what belongs to none.
  const ir::ValueId places = b.Reshape(b.Select({outside, count, ids}), {CopyDim(0), 1});
  std::vector<ir::ValueId> shape = {b.Add(count, b.Integers({1}))};
  const int rank = c.value(data).rank();
  if (rank > 1) shape.push_back(b.SizesOf(data, 1, rank));
  const ir::ValueId start = b.Expand({initial, b.Concat(shape, 0)});
  return b.Slice(b.ScatterND({start, places, data}, reduction), 0, 0, -1);
}

// Ids of any rank, and the data that they tell apart, as one list.
Status Flatten(OpContext& c, ir::ValueId* data, ir::ValueId* ids) {
  const int first = c.rank(1);
  if (first < 1 || c.rank(0) < first) return Invalid("ids of {} dimensions for data of {}", first, c.rank(0));
  *ids = c.build.Reshape(c.AsInt64(c.input(1)), {kInferDim});
  *data = c.input(0);
  if (first == 1) return Status();
  std::vector<int32_t> shape = {kInferDim};
  for (int i = first; i < c.rank(0); ++i) shape.push_back(CopyDim(i));
  *data = c.build.Reshape(*data, shape);
  return Status();
}

// inputs: data, ids, number of segments.
template <ScatterReduction reduction>
Status ImportUnsorted(OpContext& c) {
  ir::ValueId data = ir::kNoValue, ids = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(Flatten(c, &data, &ids));
  const ir::ValueId count = c.build.Reshape(c.AsInt64(c.input(2)), {1});
  return c.Return(
      Scatter(c, data, ids, count, lower::EmptySegment(c.build, c.x().dtype, reduction), reduction));
}

// inputs: data, ids in ascending order, of which the last one tells the number of segments. Segments without
// elements hold 0, and 1 if elements are multiplied.
template <ScatterReduction reduction, bool is_mean>
Status ImportSorted(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 1));
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> list, c.ConstantIntegers(1));
  if (!std::is_sorted(list.begin(), list.end()) || list.empty() || list[0] < 0 || list.back() > (1 << 24))
    return Invalid("ids that do not ascend from 0");
  ir::ValueId data = ir::kNoValue, ids = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(Flatten(c, &data, &ids));
  std::vector<float> sizes(static_cast<size_t>(list.back() + 1), 0);
  for (const int64_t id : list) sizes[static_cast<size_t>(id)] += 1;
  std::vector<int64_t> dims(static_cast<size_t>(c.rank()), 1);
  dims[0] = static_cast<int64_t>(sizes.size());
  const ir::ValueId count = c.build.Integers({dims[0]});
  ir::ValueId y =
      Scatter(c, data, ids, count, lower::EmptySegment(c.build, c.x().dtype, reduction), reduction);
  if (is_mean) {
    for (float& size : sizes) size = std::max(size, 1.0f);
    const ir::ValueId divisor = c.build.Constant(dims, sizes);
    y = c.build.Div(y, c.x().dtype == DType::kFloat32 ? divisor : c.build.Cast(divisor, c.x().dtype));
  } else if ((reduction == ScatterReduction::Max || reduction == ScatterReduction::Min) &&
             std::count(sizes.begin(), sizes.end(), 0.0f) > 0) {
    const ir::ValueId filled = c.build.Cast(c.build.Constant(dims, sizes), DType::kBool);
    y = c.build.Select({filled, y, c.Scalar(c.x().dtype, 0)});
  }
  return c.Return(y);
}

// inputs: integers, how many values are counted, weights (none if there are no elements).
Status ImportBincount(OpContext& c) {
  ir::Builder& b = c.build;
  const bool has_weights = !c.x(2).is_static() || c.x(2).elements() > 0;
  const bool is_binary = c.Bool("binary_output", false);
  MICRORT_ASSIGN_OR_RETURN(const DType type, c.Type("T", c.x(2).dtype));
  const ir::ValueId size = c.AsInt64(c.input(1)), values = c.AsInt64(c.input(0));
  const ir::ValueId zero = b.Integer(0), one = b.Integer(1);
  const ir::ValueId places = b.Range({zero, b.Reshape(size, {}), one});
  std::vector<int32_t> shape;
  const bool has_rows = c.node().op() == "DenseBincount" && c.rank() == 2;
  if (has_rows) shape.push_back(CopyDim(0));
  shape.insert(shape.end(), {has_rows ? CopyDim(1) : kInferDim, 1});
  const ir::ValueId hits = b.Equal(b.Reshape(values, shape), places);
  const ir::ValueId weighed = has_weights && !is_binary
                                  ? b.Select({hits, b.Reshape(c.input(2), shape), c.Scalar(c.x(2).dtype, 0)})
                                  : b.Cast(hits, type);
  const ir::ValueId sum = b.Reduce(ReduceKind::Sum, weighed, {has_rows ? 1 : 0}, false);
  return c.Return(is_binary ? b.Min(sum, c.Scalar(type, 1)) : sum);
}

// inputs: indices [n, rank], [n] or scalar, the output's shape, values, what is elsewhere.
Status ImportSparseToDense(OpContext& c) {
  ir::Builder& b = c.build;
  if (c.rank(0) > 2) return Invalid("indices of {} dimensions", c.rank(0));
  const int rank = static_cast<int>(c.x(1).shape.empty() ? 1 : c.x(1).shape[0]);
  ir::ValueId indices = c.input(0);
  if (c.rank(0) == 1) indices = b.Reshape(indices, {CopyDim(0), 1});
  if (c.rank(0) == 0) indices = b.Reshape(indices, {1, 1});
  if (rank == ir::kDynamic) return Unsupported("a shape of unknown rank");
  const ir::ValueId count = b.SizesOf(indices, 0, 1);
  const ir::ValueId values = b.Expand({c.input(2), count});
  const ir::ValueId start = b.Expand({c.input(3), c.AsInt64(c.input(1))});
  return c.Return(b.Add(schema::ScatterNDOptionsT(), {start, indices, values}));
}

constexpr char kIds[] = "ids that are not constant";

}  // namespace

const ImporterList SegmentOps = {
    {"Bincount", 3, 3, ImportBincount},
    {"DenseBincount", 3, 3, ImportBincount},
    {"SegmentMax", 2, 2, ImportSorted<ScatterReduction::Max, false>, kIds},
    {"SegmentMaxV2", 3, 3, ImportUnsorted<ScatterReduction::Max>},
    {"SegmentMean", 2, 2, ImportSorted<ScatterReduction::Add, true>, kIds},
    {"SegmentMin", 2, 2, ImportSorted<ScatterReduction::Min, false>, kIds},
    {"SegmentMinV2", 3, 3, ImportUnsorted<ScatterReduction::Min>},
    {"SegmentProd", 2, 2, ImportSorted<ScatterReduction::Mul, false>, kIds},
    {"SegmentProdV2", 3, 3, ImportUnsorted<ScatterReduction::Mul>},
    {"SegmentSum", 2, 2, ImportSorted<ScatterReduction::Add, false>, kIds},
    {"SegmentSumV2", 3, 3, ImportUnsorted<ScatterReduction::Add>},
    {"SparseToDense", 4, 4, ImportSparseToDense},
    {"UnsortedSegmentMax", 3, 3, ImportUnsorted<ScatterReduction::Max>},
    {"UnsortedSegmentMin", 3, 3, ImportUnsorted<ScatterReduction::Min>},
    {"UnsortedSegmentProd", 3, 3, ImportUnsorted<ScatterReduction::Mul>},
    {"UnsortedSegmentSum", 3, 3, ImportUnsorted<ScatterReduction::Add>},
};

}  // namespace micrort::frontend::tensorflow
