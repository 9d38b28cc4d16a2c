// Operators that order, count or pick elements by their values.

#include "converter/frontend/onnx/ops/halves_in_float32.h"
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
};

}  // namespace micrort::frontend::onnx
