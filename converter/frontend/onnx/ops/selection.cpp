// Operators that order, count or pick elements by their values.

#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"
#include "converter/lower/reverse_sequence.h"

namespace micrort::frontend::onnx {

namespace {

// k is an attribute before opset 10, then an input. Opset 11 adds `largest` and `sorted`; results are always
// sorted, which `sorted` = 0 allows.
Status ImportTopK(NodeContext& c) {
  c.Ignore({"sorted"});
  schema::TopKOptionsT options;
  MICRORT_ASSIGN_OR_RETURN(options.axis, c.Axis(c.Int("axis", -1), c.x().rank()));
  options.largest = c.Int("largest", 1) != 0;
  if (!c.has_input(1) && !c.Has("k")) return Invalid("k is given nowhere");
  const ir::ValueId k = c.has_input(1) ? c.input(1) : c.build.Integers({c.Int("k", 0)});
  return c.Return(c.build.AddMany(options, {c.input(0), k}, 2));
}

// Small integers wrap as the lower part of larger ones.
template <bool product>
Status ImportCumulative(NodeContext& c) {
  const DType dtype = c.x().dtype;
  const ir::ValueId x = SizeOf(dtype) < 4 ? c.build.Cast(c.input(0), DType::kInt32) : c.input(0);
  schema::CumulativeSumOptionsT options;
  options.exclusive = c.Int("exclusive", 0) != 0;
  options.reverse = c.Int("reverse", 0) != 0;
  options.product = product;
  const ir::ValueId y = c.build.Add(options, {x, c.input(1)});
  return c.Return(SizeOf(dtype) < 4 ? c.build.Cast(y, dtype) : y);
}

// A scalar counts as a vector of no dimensions: its only coordinate has none.
Status ImportNonZero(NodeContext& c) {
  return c.Return(c.build.Add(schema::NonZeroOptionsT(), {c.input(0)}));
}

// The slices along the axis where the condition, which may be shorter, holds; without an axis, elements.
Status ImportCompress(NodeContext& c) {
  int axis = 0;
  ir::ValueId x = c.input(0);
  if (c.Has("axis"))
    MICRORT_RETURN_IF_ERROR(Take(c.Axis(c.Int("axis", 0), c.x().rank()), &axis));
  else {
    x = c.build.Reshape(x, {kInferDim});
  }
  const ir::ValueId taken = c.build.Add(schema::NonZeroOptionsT(), {c.input(1)});
  return c.Return(c.build.Gather(x, c.build.Reshape(taken, {kInferDim}), axis));
}

Status ImportUnique(NodeContext& c) {
  schema::UniqueOptionsT options;
  options.sorted = c.Int("sorted", 1) != 0;
  options.flatten = !c.Has("axis");
  if (!options.flatten) MICRORT_RETURN_IF_ERROR(Take(c.Axis(c.Int("axis", 0), c.x().rank()), &options.axis));
  return c.Return(c.build.AddMany(options, {c.input(0)}, 4));
}

Status ImportNonMaxSuppression(NodeContext& c) {
  schema::NonMaxSuppressionOptionsT options;
  options.center_point_box = c.Int("center_point_box", 0) != 0;
  return c.Return(c.build.Add(options, c.inputs()));
}

constexpr TypeSet kSummed = kFloats | TypesOf(DType::kInt32, DType::kInt64, DType::kUInt32, DType::kUInt64);

// The first elements of each sequence of a batch, in reverse order.
Status ImportReverseSequence(NodeContext& c) {
  const int rank = c.x().rank();
  const int64_t batch = c.Int("batch_axis", 1), time = c.Int("time_axis", 0);
  const bool fits = (batch == 0 && time == 1) || (batch == 1 && time == 0);
  if (rank < 2 || c.x(1).rank() != 1 || !fits)
    return Invalid("batch_axis {} and time_axis {} of {} dimensions", batch, time, rank);
  return c.Return(lower::ReverseSequence(c.build, c.input(0), c.input(1), static_cast<int>(time),
                                         static_cast<int>(batch)));
}

constexpr int kMaxOneHotDepth = 1 << 20;

Status ImportGather(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis", 0), c.x().rank()));
  return c.Return(c.build.Gather(c.input(0), c.input(1), axis));
}

// The scalar depth, of any type, as int64. A constant one must be reasonable.
Result<ir::ValueId> ReadDepth(NodeContext& c) {
  const ir::ValueId scalar = c.build.Reshape(c.input(1), {});
  const ir::ValueId depth = c.build.As(scalar, DType::kInt64);
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const ir::Value& value = c.value(depth);
  if (!value.is_constant() || (*value.as<int64_t>() >= 0 && *value.as<int64_t>() <= kMaxOneHotDepth))
    return depth;
  return Unsupported("depth must be one number from 0 to {}", kMaxOneHotDepth);
}

// 0, 1 ... depth - 1 along `axis` of `rank` dimensions.
ir::ValueId Classes(NodeContext& c, ir::ValueId depth, int axis, int rank) {
  const ir::ValueId zero = c.build.Integer(0), one = c.build.Integer(1);
  return c.build.Along(c.build.Range({zero, depth, one}), axis, rank);
}

// values = [off, on]; on where the index along the new axis is that of the input. Negative indices count from
// the end.
Status ImportOneHot(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId depth, ReadDepth(c));
  const int rank = c.x().rank() + 1;
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis", -1), rank));
  std::vector<int32_t> shape;
  for (int i = 0, from = 0; i < rank; ++i) shape.push_back(i == axis ? 1 : CopyDim(from++));
  const ir::ValueId integers = c.build.As(c.input(0), DType::kInt64);
  const ir::ValueId indices = c.build.Reshape(integers, shape);
  const ir::ValueId iota = Classes(c, depth, axis, rank);
  const ir::ValueId from_start = c.build.Equal(indices, iota);
  const ir::ValueId from_end = c.build.Equal(c.build.Add(indices, depth), iota);
  const ir::ValueId hit = c.build.Or(from_start, from_end);
  const ir::ValueId off = c.build.Slice(c.input(2), 0, 0, 1);
  const ir::ValueId on = c.build.Slice(c.input(2), 0, 1, 2);
  return c.Return(c.build.Select({hit, on, off}));
}

}  // namespace

const ImporterList SelectionImporters = {
    {"Compress", 2, 2, ImportCompress, Types(kAllTypes).Since(9)},
    {"CumProd", 2, 2, HalvesInFloat32<ImportCumulative<true>>, Types(kNumbers).Since(26)},
    {"CumSum", 2, 2, HalvesInFloat32<ImportCumulative<false>>, Types(kSummed).Since(11)},
    {"NonMaxSuppression", 2, 5, ImportNonMaxSuppression, Types(kFloat32).Since(10)},
    {"NonZero", 1, 1, ImportNonZero, Types(kAllTypes).Since(9)},
    {"ReverseSequence", 2, 2, ImportReverseSequence, Types(kAllTypes).Since(10)},
    {"TopK", 1, 2, ImportTopK, Types(kNumbers)},
    {"Unique", 1, 1, ImportUnique, Types(kAllTypes).Since(11)},
    {"Gather", 2, 2, ImportGather, Types(kAllTypes)},
    {"OneHot", 3, 3, ImportOneHot, "a depth that is not known before the model runs"},
};

}  // namespace micrort::frontend::onnx
