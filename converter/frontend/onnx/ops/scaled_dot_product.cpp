#include "converter/frontend/onnx/ops/scaled_dot_product.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/lower/positions.h"

namespace micrort::frontend::onnx {

namespace {

ir::ValueId Product(NodeContext& c, ir::ValueId a, ir::ValueId b, bool transpose_b) {
  return c.build.MatMul({a, b}, transpose_b);
}

Status CheckOperands(const NodeContext& c, const AttentionOperands& o) {
  const int64_t heads = c.value(o.query).dim(1), groups = c.value(o.key).dim(1);
  if (heads < 1 || groups < 1 || c.value(o.query).dim(3) < 1)
    return Unsupported("the number of heads or their size is not fixed");
  return heads % groups == 0 ? Status() : Invalid("{} query heads cannot share {} key heads", heads, groups);
}

float ScaleOf(const NodeContext& c, const AttentionOperands& o) {
  return o.scale != 0 ? o.scale : 1 / std::sqrt(static_cast<float>(c.value(o.query).dim(3)));
}

// Which rows of the bias do not mask everything, as bools [..., 1]; kNoValue if that is said of all rows.
ir::ValueId RowsThatSee(NodeContext& c, const AttentionOperands& o) {
  if (o.bias == ir::kNoValue || !o.may_mask_rows) return ir::kNoValue;
  const int last = c.value(o.bias).rank() - 1;
  if (last < 0) return ir::kNoValue;
  const ir::ValueId largest = c.build.Reduce(schema::ReduceKind::Max, o.bias, {last}, true);
  const ir::ValueId none = c.build.Scalar(-std::numeric_limits<float>::infinity());
  const ir::ValueId seeing = c.build.Greater(largest, none);
  const ir::Value& v = c.value(seeing);
  const bool all =
      v.is_constant() && std::all_of(v.data->begin(), v.data->end(), [](uint8_t b) { return b != 0; });
  return all ? ir::kNoValue : seeing;
}

// 0 where a row sees nothing.
ir::ValueId WhereSeen(NodeContext& c, ir::ValueId seeing, ir::ValueId x) {
  return seeing == ir::kNoValue ? x : c.build.Select({seeing, x, c.build.Scalar(0)});
}

// A bias has a number for each key.
ir::ValueId WithWholeRows(NodeContext& c, const AttentionOperands& o) {
  const ir::Value& bias = c.value(o.bias);
  if (!bias.shape.empty() && bias.shape.back() != 1) return o.bias;
  const ir::ValueId keys = c.build.SizesOf(o.key, 2, 3);
  return c.build.Expand({o.bias, keys});
}

}  // namespace

Result<AttentionValues> ScaledDotProduct(NodeContext& c, const AttentionOperands& o) {
  AttentionValues out;
  MICRORT_RETURN_IF_ERROR(c.build.status());
  MICRORT_RETURN_IF_ERROR(CheckOperands(c, o));
  const auto heads = static_cast<int32_t>(c.value(o.query).dim(1));
  const auto groups = static_cast<int32_t>(c.value(o.key).dim(1));
  const bool grouped = heads != groups;
  // The heads that share a key follow each other, so their rows are rows of one product.
  const auto as_groups = [&](ir::ValueId x) {
    return grouped ? c.build.Reshape(x, {CopyDim(0), groups, kInferDim, CopyDim(3)}) : x;
  };
  const auto as_heads = [&](ir::ValueId x) {
    return grouped ? c.build.Reshape(x, {CopyDim(0), heads, kInferDim, CopyDim(3)}) : x;
  };
  const ir::ValueId query = as_groups(c.build.Scaled(o.query, ScaleOf(c, o)));
  out.scores = as_heads(Product(c, query, o.key, true));
  out.capped = out.scores;
  if (o.softcap != 0) {
    const ir::ValueId tanh = c.build.Tanh(c.build.Scaled(out.scores, 1 / o.softcap));
    out.capped = c.build.Scaled(tanh, o.softcap);
  }
  const ir::ValueId seeing = RowsThatSee(c, o);
  out.biased = o.bias == ir::kNoValue ? out.capped : c.build.Add(out.capped, WhereSeen(c, seeing, o.bias));
  const ir::ValueId weights = c.build.Softmax(out.biased, 3);
  out.y = WhereSeen(c, seeing, as_heads(Product(c, as_groups(weights), o.value, false)));
  out.weights = WhereSeen(c, seeing, weights);
  return c.build.Checked(out);
}

Result<ir::ValueId> FusedAttention(NodeContext& c, const AttentionOperands& o, bool causal, int32_t window) {
  constexpr size_t kMask = 3, kSinks = 5;
  MICRORT_RETURN_IF_ERROR(c.build.status());
  MICRORT_RETURN_IF_ERROR(CheckOperands(c, o));
  schema::AttentionOptionsT options;
  options.scale = ScaleOf(c, o);
  options.query_by_head = options.key_by_head = options.value_by_head = options.output_by_head = true;
  options.causal = causal;
  options.window = window;
  options.softcap = o.softcap;
  const ir::ValueId seeing = RowsThatSee(c, o);
  std::vector<ir::ValueId> inputs = {o.query, o.key, o.value};
  inputs.resize(o.sinks != ir::kNoValue  ? kSinks + 1
                : o.bias != ir::kNoValue ? kMask + 1
                                         : kMask,
                ir::kNoValue);
  if (o.bias != ir::kNoValue) inputs[kMask] = WhereSeen(c, seeing, WithWholeRows(c, o));
  if (o.sinks != ir::kNoValue) inputs[kSinks] = o.sinks;
  return c.build.Checked(
      WhereSeen(c, seeing, c.build.Add(std::move(options), std::move(inputs), DType::kFloat32)));
}

Result<AttentionValues> Attend(NodeContext& c, const AttentionOperands& o, bool fuses) {
  if (!fuses) return ScaledDotProduct(c, o);
  AttentionValues values;
  MICRORT_ASSIGN_OR_RETURN(values.y, FusedAttention(c, o, false, 0));
  return values;
}

ir::ValueId SplitHeads(NodeContext& c, ir::ValueId x, int64_t heads) {
  const auto n = static_cast<int32_t>(heads);
  const int64_t width = c.value(x).shape.empty() ? ir::kDynamic : c.value(x).shape.back();
  const int32_t size = width > 0 && width % heads == 0 ? static_cast<int32_t>(width / heads) : kInferDim;
  return c.build.Transpose(c.build.Reshape(x, {CopyDim(0), CopyDim(1), n, size}), {0, 2, 1, 3});
}

ir::ValueId MergeHeads(NodeContext& c, ir::ValueId x) {
  const ir::Value& v = c.value(x);
  const bool fixed = v.rank() == 4 && v.shape[1] > 0 && v.shape[3] > 0;
  const int32_t width = fixed ? static_cast<int32_t>(v.shape[1] * v.shape[3]) : kInferDim;
  return c.build.Reshape(c.build.Transpose(x, {0, 2, 1, 3}), {CopyDim(0), CopyDim(1), width});
}

ir::ValueId PositionsOf(NodeContext& c, ir::ValueId of, int dim, int axis, int rank) {
  std::vector<int32_t> shape(static_cast<size_t>(rank), 1);
  shape[static_cast<size_t>(axis)] = CopyDim(0);
  return c.build.Reshape(lower::PositionsAlong(c.build, of, dim), shape);
}

ir::ValueId BiasFromMask(NodeContext& c, ir::ValueId mask, float masked) {
  return c.build.Select({mask, c.build.Scalar(0), c.build.Scalar(masked)});
}

KeyCount CountKeys(NodeContext& c, ir::ValueId key, ir::ValueId bias) {
  constexpr int kRowsOfKey = 2;
  if (bias == ir::kNoValue || c.value(bias).shape.empty() || c.value(bias).shape.back() == 1)
    return {key, kRowsOfKey};
  return {bias, c.value(bias).rank() - 1};
}

ir::ValueId CausalBias(NodeContext& c, ir::ValueId query, KeyCount keys, ir::ValueId past, float masked) {
  ir::ValueId at = PositionsOf(c, query, 2, 2, 4);
  if (past != ir::kNoValue) at = c.build.Add(at, past);
  const ir::ValueId seen = PositionsOf(c, keys.of, keys.dim, 3, 4);
  return BiasFromMask(c, c.build.LessOrEqual(seen, at), masked);
}

ir::ValueId AddBiases(NodeContext& c, ir::ValueId a, ir::ValueId b) {
  if (a == ir::kNoValue) return b;
  return b == ir::kNoValue ? a : c.build.Add(a, b);
}

}  // namespace micrort::frontend::onnx
