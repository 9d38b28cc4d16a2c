// Elements in another order, and apart and together again.

#include <algorithm>
#include <limits>

#include "converter/frontend/tensorflow/registry.h"
#include "converter/lower/arrays.h"
#include "converter/lower/reverse_sequence.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::ReduceKind;

constexpr int64_t kToTheEnd = std::numeric_limits<int64_t>::max();

// inputs: x, lengths; of each sequence of the batch so many elements are reversed.
Status ImportReverseSequence(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int time, c.Axis(c.Int("seq_dim", 0), c.rank()));
  MICRORT_ASSIGN_OR_RETURN(const int batch, c.Axis(c.Int("batch_dim", 0), c.rank()));
  if (time == batch) return Invalid("seq_dim and batch_dim are {}", time);
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 1));
  return c.Return(lower::ReverseSequence(c.build, c.input(0), c.input(1), time, batch));
}

// How far shifts along a dimension of this size roll it together: from 0 to size - 1.
int64_t RolledFurther(int64_t rolled, int64_t shift, int64_t size) {
  int64_t step = shift % size;
  if (step < 0) step += size;
  return rolled < size - step ? rolled + step : rolled - (size - step);
}

// inputs: x, shifts, axes: what leaves at one end comes in at the other.
Status ImportRoll(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> shifts, c.ConstantIntegers(1));
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> axes, c.ConstantIntegers(2));
  if (shifts.size() != axes.size()) return Invalid("{} shifts along {} axes", shifts.size(), axes.size());
  // Any number of shifts along a dimension are one, and dimensions do not depend on each other.
  std::vector<int64_t> rolled(static_cast<size_t>(c.rank()), 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    MICRORT_ASSIGN_OR_RETURN(int axis, c.Axis(axes[i], c.rank()));
    const int64_t size = c.x().shape[static_cast<size_t>(axis)];
    if (size == ir::kDynamic) return Unsupported("the size of dimension {} is not fixed", axis);
    int64_t& sum = rolled[static_cast<size_t>(axis)];
    if (size != 0) sum = RolledFurther(sum, shifts[i], size);
  }
  ir::ValueId x = c.input(0);
  for (int axis = 0; axis < c.rank(); ++axis) {
    const int64_t shift = rolled[static_cast<size_t>(axis)];
    if (shift == 0) continue;
    const int64_t kept = c.x().shape[static_cast<size_t>(axis)] - shift;
    x = c.build.Concat({c.build.Slice(x, axis, kept, kToTheEnd), c.build.Slice(x, axis, 0, kept)}, axis);
  }
  return c.Return(x);
}

ir::ValueId Flat(OpContext& c, ir::ValueId x, int first) {
  std::vector<int32_t> shape = {kInferDim};
  for (int i = first; i < c.value(x).rank(); ++i) shape.push_back(CopyDim(i));
  return c.build.Reshape(x, shape);
}

// inputs: n lists of indices, then n tensors of what is put there; of equal indices the last one wins.
Status ImportDynamicStitch(OpContext& c) {
  const size_t n = c.input_count() / 2;
  if (c.input_count() != 2 * n) return Invalid("{} inputs", c.input_count());
  std::vector<int64_t> from;
  std::vector<ir::ValueId> parts;
  int64_t next = 0;
  for (size_t i = 0; i < n; ++i) {
    MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> indices, c.ConstantIntegers(i));
    for (const int64_t index : indices) {
      if (index < 0 || index > (1 << 24)) return Invalid("index {}", index);
      if (from.size() <= static_cast<size_t>(index)) from.resize(static_cast<size_t>(index) + 1, 0);
      from[static_cast<size_t>(index)] = next++;
    }
    if (c.rank(n + i) < c.rank(i)) return Invalid("data of fewer dimensions than indices");
    parts.push_back(Flat(c, c.input(n + i), c.rank(i)));
  }
  return c.Return(c.build.Gather(c.build.Concat(parts, 0), c.build.Integers(from), 0));
}

// inputs: data, the number of the part that each belongs to.
Status ImportDynamicPartition(OpContext& c) {
  const int64_t parts = c.Int("num_partitions", 0);
  if (parts < 1 || parts > 4096 || c.rank(1) < 1 || c.rank(0) < c.rank(1)) return Invalid("{} parts", parts);
  const ir::ValueId data = Flat(c, c.input(0), c.rank(1));
  const ir::ValueId numbers = c.build.Reshape(c.AsInt64(c.input(1)), {kInferDim});
  for (int64_t i = 0; i < parts; ++i) {
    const ir::ValueId is_in = c.build.Equal(numbers, c.build.Integer(i));
    const ir::ValueId rows = c.build.Reshape(c.build.Add(schema::NonZeroOptionsT(), {is_in}), {kInferDim});
    c.SetOutput(static_cast<size_t>(i), c.build.Gather(data, rows, 0));
  }
  return c.build.status();
}

// Elements, or slices along an axis, as they first appear; where each comes from; how often it does.
Status ImportUnique(OpContext& c) {
  schema::UniqueOptionsT options;
  options.sorted = false;
  options.flatten = true;
  std::vector<int64_t> axes;
  if (c.input_count() > 1) {
    MICRORT_ASSIGN_OR_RETURN(axes, c.ConstantIntegers(1));
    if (axes.size() > 1) return Invalid("{} axes", axes.size());
  }
  if (!axes.empty() && c.rank() > 1) {
    MICRORT_ASSIGN_OR_RETURN(options.axis, c.Axis(axes[0], c.rank()));
    options.flatten = false;
  }
  MICRORT_ASSIGN_OR_RETURN(const DType type, c.Type("out_idx", DType::kInt32));
  const std::vector<ir::ValueId> outputs = c.build.AddMany(options, {c.input(0)}, 4);
  const auto as_type = [&](ir::ValueId id) { return c.build.As(id, type); };
  return c.Return({outputs[0], as_type(outputs[2]), as_type(outputs[3])});
}

// inputs: two lists: elements of the first that are not in the second, and where they stand.
Status ImportListDiff(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 1));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 1));
  MICRORT_ASSIGN_OR_RETURN(const DType type, c.Type("out_idx", DType::kInt32));
  const ir::ValueId is_equal = c.build.Equal(c.build.Reshape(c.input(0), {CopyDim(0), 1}), c.input(1));
  const ir::ValueId count =
      c.build.Reduce(ReduceKind::Sum, c.build.Cast(is_equal, DType::kInt32), {1}, false);
  const ir::ValueId is_left = c.build.Equal(count, c.build.Constant<int32_t>({}, {0}));
  const ir::ValueId places = c.build.Reshape(c.build.Add(schema::NonZeroOptionsT(), {is_left}), {kInferDim});
  return c.Return({c.build.Gather(c.input(0), places, 0), c.build.As(places, type)});
}

// The shape that two shapes broadcast to.
Status ImportBroadcastArgs(OpContext& c) {
  const ir::ValueId a = c.AsInt64(c.input(0)), b = c.AsInt64(c.input(1));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId y, lower::BroadcastShapes(c.build, a, b));
  return c.Return(c.build.As(y, c.x().dtype));
}

// Orders of dimensions, a letter each.
Status ReadFormats(const OpContext& c, std::string* from, std::string* to) {
  *from = c.String("src_format", "NHWC");
  *to = c.String("dst_format", "NCHW");
  const size_t most = std::max(from->size(), to->size());
  if (most <= static_cast<size_t>(kMaxRank)) return Status();
  return Unsupported("a format of {} dimensions, at most {} are possible", most, kMaxRank);
}

// From one order of dimensions to another: of a list with an entry for each, or for height and width alone.
Status ImportVecPermute(OpContext& c) {
  std::string from, to;
  MICRORT_RETURN_IF_ERROR(ReadFormats(c, &from, &to));
  const int64_t size = c.rank() < 1 ? ir::kDynamic : c.x().shape[0];
  std::string source, target;
  for (const char dim : from) source += size == 2 && dim != 'H' && dim != 'W' ? "" : std::string(1, dim);
  for (const char dim : to) target += size == 2 && dim != 'H' && dim != 'W' ? "" : std::string(1, dim);
  if (size != static_cast<int64_t>(source.size()) || source.size() != target.size())
    return Unsupported("{} entries for {}", size, from);
  std::vector<int64_t> order;
  for (const char dim : target) {
    const size_t at = source.find(dim);
    if (at == std::string::npos) return Invalid("{} to {}", from, to);
    order.push_back(static_cast<int64_t>(at));
  }
  return c.Return(c.build.Gather(c.input(0), c.build.Integers(order), 0));
}

Status ImportDimMap(OpContext& c) {
  std::string from, to;
  MICRORT_RETURN_IF_ERROR(ReadFormats(c, &from, &to));
  std::vector<int64_t> places;
  for (const char dim : from) {
    const size_t at = to.find(dim);
    if (at == std::string::npos) return Invalid("{} to {}", from, to);
    places.push_back(static_cast<int64_t>(at));
  }
  const ir::ValueId y = c.build.Gather(c.build.Integers(places), c.input(0), 0);
  return c.Return(c.build.As(y, c.x().dtype));
}

// `all` but the sum of the last dimension of `others`.
ir::ValueId AllBut(OpContext& c, ir::ValueId all, ir::ValueId others) {
  const int last = c.value(others).rank() - 1;
  return c.build.Sub(all, c.build.Reduce(ReduceKind::Sum, others, {last}, false));
}

// How many of the boundaries each element reaches: NaN, which is not below any, all of them.
Status ImportBucketize(OpContext& c) {
  const ::tensorflow::AttrValue* list = c.Find("boundaries");
  if (list == nullptr) return Invalid("attribute boundaries is missing");
  const std::vector<float> boundaries(list->list().f().begin(), list->list().f().end());
  return c.Return(lower::BucketOf(c.build, c.input(), boundaries));
}

// inputs: rows in ascending order [B,N], values [B,M]: where each would go, before its equals or behind them.
template <bool behind>
Status ImportBound(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 2));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 2));
  MICRORT_ASSIGN_OR_RETURN(const DType type, c.Type("out_type", DType::kInt32));
  const ir::ValueId rows = c.build.Reshape(c.input(0), {CopyDim(0), 1, CopyDim(1)});
  const ir::ValueId values = c.build.Reshape(c.input(1), {CopyDim(0), CopyDim(1), 1});
  const auto less = [&](ir::ValueId a, ir::ValueId b) { return c.build.Cast(c.build.Less(a, b), type); };
  if (!behind) return c.Return(c.build.Reduce(ReduceKind::Sum, less(rows, values), {2}, false));
  const ir::ValueId all = c.build.Cast(c.build.SizesOf(c.input(0), 1, 2), type);
  return c.Return(AllBut(c, all, less(values, rows)));
}

// inputs: scores [B,N], targets [B], k: whether fewer than k scores are above that of the target. Not where
// the target is no class, or any score no finite number.
Status ImportInTopK(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 2));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 1));
  const ir::ValueId classes = c.build.SizesOf(c.input(0), 1, 2);
  const ir::ValueId target = c.AsInt64(c.input(1)), zero = c.build.Integers({0});
  const ir::ValueId is_class =
      c.build.And(c.build.GreaterOrEqual(target, zero), c.build.Less(target, classes));
  const ir::ValueId safe = c.build.Select({is_class, target, zero});
  const ir::ValueId score = c.build.GatherElements({c.input(0), c.build.Reshape(safe, {CopyDim(0), 1})}, 1);
  // Differences of finite numbers with themselves are 0.
  const ir::ValueId finite = c.build.Equal(c.build.Sub(c.input(0), c.input(0)), c.Scalar(c.x().dtype, 0));
  const ir::ValueId all_finite = c.build.Cast(
      c.build.Reduce(ReduceKind::Min, c.build.Cast(finite, DType::kInt32), {1}, false), DType::kBool);
  const ir::ValueId above = c.build.Greater(c.input(0), score);
  const ir::ValueId count = c.build.Reduce(ReduceKind::Sum, c.build.Cast(above, DType::kInt64), {1}, false);
  const ir::ValueId k = c.input_count() > 2 ? c.AsInt64(c.input(2)) : c.build.Integer(c.Int("k", 1));
  return c.Return(c.build.And(c.build.Less(count, k), c.build.And(is_class, all_finite)));
}

}  // namespace

const ImporterList SequenceOps = {
    {"BroadcastArgs", 2, 2, ImportBroadcastArgs},
    {"Bucketize", 1, 1, ImportBucketize},
    {"DataFormatDimMap", 1, 1, ImportDimMap},
    {"DataFormatVecPermute", 1, 1, ImportVecPermute},
    {"DynamicPartition", 2, 2, ImportDynamicPartition},
    {"DynamicStitch", 2, -1, ImportDynamicStitch, "indices that are not constant"},
    {"InTopK", 2, 2, ImportInTopK},
    {"InTopKV2", 3, 3, ImportInTopK},
    {"ListDiff", 2, 2, ImportListDiff},
    {"LowerBound", 2, 2, ImportBound<false>},
    {"ParallelDynamicStitch", 2, -1, ImportDynamicStitch, "indices that are not constant"},
    {"ReverseSequence", 2, 2, ImportReverseSequence},
    {"Roll", 3, 3, ImportRoll, "shifts that are not constant"},
    {"Unique", 1, 1, ImportUnique},
    {"UniqueV2", 2, 2, ImportUnique, "an axis that is not constant"},
    {"UniqueWithCounts", 1, 1, ImportUnique},
    {"UniqueWithCountsV2", 2, 2, ImportUnique, "an axis that is not constant"},
    {"UpperBound", 2, 2, ImportBound<true>},
};

}  // namespace micrort::frontend::tensorflow
