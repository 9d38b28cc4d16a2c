// Operators that order, count or pick elements by their values.

#include "converter/frontend/onnx/ops/halves_in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

// k is an attribute before opset 10, then an input. Opset 11 adds `largest` and `sorted`; results are always
// sorted, which `sorted` = 0 allows.
Status ImportTopK(NodeContext& c) {
  c.Ignore({"sorted"});
  schema::TopKOptionsT options;
  MICRORT_RETURN_IF_ERROR(c.Axis(c.Int("axis", -1), c.x().rank(), &options.axis));
  options.largest = c.Int("largest", 1) != 0;
  if (!c.has_input(1) && !c.Has("k")) return MICRORT_ERROR(kInvalidModel, "k is given nowhere");
  const ir::ValueId k = c.has_input(1) ? c.input(1) : c.build.Integers({c.Int("k", 0)});
  const std::vector<ir::ValueId> outputs = c.build.AddMany(options, {c.input(0), k}, 2);
  for (size_t i = 0; i < outputs.size(); ++i) c.SetOutput(i, outputs[i]);
  return c.build.status();
}

Status ImportCumSum(NodeContext& c) {
  schema::CumulativeSumOptionsT options;
  options.exclusive = c.Int("exclusive", 0) != 0;
  options.reverse = c.Int("reverse", 0) != 0;
  return c.Return(c.build.Add(options, {c.input(0), c.input(1)}));
}

// x moved along the axis by `steps`, with ones behind it, towards the end or (reverse) the start.
ir::ValueId Shifted(NodeContext& c, ir::ValueId x, int axis, int64_t n, int64_t steps, bool reverse) {
  const auto rank = static_cast<size_t>(c.x().rank());
  const ir::ValueId rest = reverse ? c.build.Slice(x, axis, steps, n) : c.build.Slice(x, axis, 0, n - steps);
  schema::PadOptionsT pad;
  pad.value = 1;
  pad.pads.assign(2 * rank, 0);
  pad.pads[static_cast<size_t>(axis) + (reverse ? rank : 0)] = steps;
  return c.build.Add(std::move(pad), {rest});
}

// After the step over 2^k, each element is the product of itself and of the 2^(k+1) - 1 before it.
Status ImportCumProd(NodeContext& c) {
  std::vector<int64_t> given;
  int axis = 0;
  MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(1, &given));
  if (given.size() != 1) return MICRORT_ERROR(kInvalidModel, "expected one axis, found %zu", given.size());
  MICRORT_RETURN_IF_ERROR(c.Axis(given[0], c.x().rank(), &axis));
  const int64_t n = c.x().shape[static_cast<size_t>(axis)];
  if (n == ir::kDynamic) return MICRORT_ERROR(kUnsupported, "axis %d has no fixed size", axis);
  const bool reverse = c.Int("reverse", 0) != 0;
  ir::ValueId y = c.input(0);
  if (c.Int("exclusive", 0) != 0 && n > 0) y = Shifted(c, y, axis, n, 1, reverse);
  for (int64_t steps = 1; steps < n; steps *= 2) {
    y = c.build.Binary(schema::BinaryKind::Mul, y, Shifted(c, y, axis, n, steps, reverse));
  }
  return c.Return(y);
}

// A scalar counts as a vector of no dimensions: its only coordinate has none.
Status ImportNonZero(NodeContext& c) {
  return c.Return(c.build.Add(schema::NonZeroOptionsT(), {c.input(0)}));
}

// The slices along the axis where the condition, which may be shorter, holds; without an axis, elements.
Status ImportCompress(NodeContext& c) {
  int axis = 0;
  ir::ValueId x = c.input(0);
  if (c.Has("axis")) {
    MICRORT_RETURN_IF_ERROR(c.Axis(c.Int("axis", 0), c.x().rank(), &axis));
  } else {
    x = c.build.Reshape(x, {kInferDim});
  }
  const ir::ValueId taken = c.build.Add(schema::NonZeroOptionsT(), {c.input(1)});
  return c.Return(c.build.Gather(x, c.build.Reshape(taken, {kInferDim}), axis));
}

Status ImportUnique(NodeContext& c) {
  schema::UniqueOptionsT options;
  options.sorted = c.Int("sorted", 1) != 0;
  options.flatten = !c.Has("axis");
  if (!options.flatten) MICRORT_RETURN_IF_ERROR(c.Axis(c.Int("axis", 0), c.x().rank(), &options.axis));
  const std::vector<ir::ValueId> outputs = c.build.AddMany(options, {c.input(0)}, 4);
  for (size_t i = 0; i < outputs.size(); ++i) c.SetOutput(i, outputs[i]);
  return c.build.status();
}

Status ImportNonMaxSuppression(NodeContext& c) {
  schema::NonMaxSuppressionOptionsT options;
  options.center_point_box = c.Int("center_point_box", 0) != 0;
  return c.Return(c.build.Add(options, c.inputs()));
}

constexpr TypeSet kSummed = kFloats | TypesOf(DType::kInt32, DType::kInt64, DType::kUInt32, DType::kUInt64);

}  // namespace

Span<const OpImporter> SelectionImporters() {
  static constexpr OpImporter kImporters[] = {
      {"Compress", 2, 2, ImportCompress, Types(kAllTypes).Since(9)},
      {"CumProd", 2, 2, ImportCumProd,
       Types(kNumbers).Since(26).Without("axes that are not constant or have no fixed size")},
      {"CumSum", 2, 2, HalvesInFloat32<ImportCumSum>, Types(kSummed).Since(11)},
      {"NonMaxSuppression", 2, 5, ImportNonMaxSuppression, Types(kFloat32).Since(10)},
      {"NonZero", 1, 1, ImportNonZero, Types(kAllTypes).Since(9)},
      {"TopK", 1, 2, ImportTopK, Types(kNumbers)},
      {"Unique", 1, 1, ImportUnique, Types(kAllTypes).Since(11)},
  };
  return kImporters;
}

}  // namespace micrort::frontend::onnx
