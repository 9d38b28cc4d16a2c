// Normalizations over the last dimensions, and what ONNX Runtime fuses with them.

#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/normalize.h"
#include "converter/frontend/onnx/registry.h"
#include "converter/lower/positions.h"

namespace micrort::frontend::onnx {

namespace {

using schema::BinaryKind;
using schema::ReduceKind;

// Over the last dimensions from `axis`.
Result<Normalized> NormalizeFrom(NodeContext& c, ir::ValueId x, bool centered, float epsilon, int64_t first) {
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const int rank = c.value(x).rank();
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(first, rank));
  const std::vector<int32_t> axes = ir::AxesFrom(axis, rank);
  return c.build.Checked(centered ? Normalize(c, x, axes, epsilon)
                                  : NormalizeByMeanSquare(c, x, axes, epsilon));
}

// Outputs 0 to 2: y, mean and 1 / deviation, or y and 1 / deviation. Computed in float32; the statistics stay
// so.
Status ReturnNormalized(NodeContext& c, bool centered) {
  c.Ignore({"stash_type"});
  const DType dtype = c.x().dtype;
  const auto as_float = [&](size_t i) {
    return !c.has_input(i) || c.x(i).dtype == DType::kFloat32 ? c.input(i)
                                                              : c.build.Cast(c.input(i), DType::kFloat32);
  };
  Normalized n = {};
  const float epsilon = c.Float("epsilon", 1e-5f);
  MICRORT_ASSIGN_OR_RETURN(n, NormalizeFrom(c, as_float(0), centered, epsilon, c.Int("axis", -1)));
  size_t next = 1;
  if (centered && c.wants_output(next)) c.SetOutput(next, n.mean);
  if (centered) ++next;
  if (c.wants_output(next)) c.SetOutput(next, c.build.Reciprocal(n.deviation));
  const ir::ValueId y = Affine(c, n.y, as_float(1), as_float(2));
  return c.Return(c.build.As(y, dtype));
}

Status ImportLayerNormalization(NodeContext& c) { return ReturnNormalized(c, true); }
Status ImportRmsNormalization(NodeContext& c) { return ReturnNormalized(c, false); }

// The sum of input, skip and a bias, normalized. Outputs: y, mean, 1 / deviation, the sum.
template <bool centered>
Status ImportSkipNormalization(NodeContext& c) {
  const size_t bias = centered ? 4 : 3;
  ir::ValueId sum = c.build.Add(c.input(0), c.input(1));
  if (c.has_input(bias)) sum = c.build.Add(sum, c.input(bias));
  MICRORT_ASSIGN_OR_RETURN(Normalized n, NormalizeFrom(c, sum, centered, c.Float("epsilon", 1e-12f), -1));
  if (c.wants_output(1) && centered) c.SetOutput(1, n.mean);
  if (c.wants_output(2)) c.SetOutput(2, c.build.Reciprocal(n.deviation));
  if (c.wants_output(3)) c.SetOutput(3, sum);
  return c.Return(Affine(c, n.y, c.input(2), centered ? c.input(3) : ir::kNoValue));
}

// Inputs: ids of words, of segments; tables of words, positions, segments; gamma, beta; mask; ids of
// positions.
ir::ValueId SumOfEmbeddings(NodeContext& c) {
  const ir::ValueId words = c.build.Gather(c.input(2), c.input(0), 0);
  const ir::ValueId at = c.has_input(8) ? c.input(8) : lower::PositionsAlong(c.build, c.input(0), 1);
  const ir::ValueId positions = c.build.Gather(c.input(3), at, 0);
  const ir::ValueId sum = c.build.Add(words, positions);
  if (!c.has_input(1)) return sum;
  return c.build.Add(sum, c.build.Gather(c.input(4), c.input(1), 0));
}

// How many entries of each row of the mask are 1; without a mask, 0.
ir::ValueId MaskIndex(NodeContext& c) {
  const bool has_mask = c.has_input(7);
  const ir::ValueId of = has_mask ? c.input(7) : c.input(0);
  const ir::ValueId ones = c.build.Binary(has_mask ? BinaryKind::Equal : BinaryKind::Less, of,
                                          has_mask ? c.Scalar(c.value(of).dtype, 1) : of);
  const ir::ValueId counted =
      c.build.Reduce(ReduceKind::Sum, c.build.Cast(ones, DType::kFloat32), {1}, false);
  return c.build.Cast(counted, DType::kInt32);
}

Status ImportEmbedLayerNormalization(NodeContext& c) {
  c.Ignore({"mask_index_type"});
  for (const size_t i : {size_t{2}, size_t{3}, size_t{5}, size_t{6}}) {
    if (!c.has_input(i)) return Invalid("input {} is absent", i);
  }
  if (c.has_input(1) && !c.has_input(4)) return Invalid("segments without a table");
  if (c.x(0).rank() != 2) return Invalid("ids of {} dimensions", c.x(0).rank());
  const DType dtype = c.x(2).dtype;
  ir::ValueId sum = SumOfEmbeddings(c);
  if (dtype != DType::kFloat32) sum = c.build.Cast(sum, DType::kFloat32);
  MICRORT_ASSIGN_OR_RETURN(Normalized n, NormalizeFrom(c, sum, true, c.Float("epsilon", 1e-12f), -1));
  const auto as_float = [&](size_t i) {
    return dtype == DType::kFloat32 ? c.input(i) : c.build.Cast(c.input(i), DType::kFloat32);
  };
  const auto as_given = [&](ir::ValueId v) { return c.build.As(v, dtype); };
  const ir::ValueId y = Affine(c, n.y, as_float(5), as_float(6));
  if (c.wants_output(1)) c.SetOutput(1, MaskIndex(c));
  if (c.wants_output(2)) c.SetOutput(2, as_given(sum));
  return c.Return(as_given(y));
}

}  // namespace

const ImporterList LayerNormalizationImporters = {
    {"LayerNormalization", 2, 3, ImportLayerNormalization, Types(kFloats).Since(17)},
    {"RMSNormalization", 2, 2, ImportRmsNormalization, Types(kFloats).Since(23)},
    // ONNX Runtime writes this one without a domain.
    {"SimplifiedLayerNormalization", 2, 2, ImportRmsNormalization, Types(kFloats)},
    {"com.microsoft.EmbedLayerNormalization", 1, 9, ImportEmbedLayerNormalization,
     Types(TypesOf(DType::kInt32))},
    {"com.microsoft.LayerNormalization", 2, 3, ImportLayerNormalization, Types(kFloats)},
    {"com.microsoft.SimplifiedLayerNormalization", 2, 2, ImportRmsNormalization, Types(kFloats)},
    {"com.microsoft.SkipLayerNormalization", 3, 5, InFloat32<ImportSkipNormalization<true>>, Types(kFloats)},
    {"com.microsoft.SkipSimplifiedLayerNormalization", 3, 4, InFloat32<ImportSkipNormalization<false>>,
     Types(kFloats)},
};

}  // namespace micrort::frontend::onnx
