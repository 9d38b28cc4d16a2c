// ONNX's own Attention: grouped heads, masks, caches of keys and values.

#include <limits>

#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/ops/scaled_dot_product.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

constexpr size_t kQuery = 0, kKey = 1, kValue = 2, kMask = 3, kPastKey = 4, kPastValue = 5, kLengths = 6;

// An operand as [B,heads,S,D]: given so, or as [B,S,heads*D].
Result<ir::ValueId> WithHeads(NodeContext& c, size_t input, const char* attribute) {
  const int64_t heads = c.Int(attribute, 0);
  if (c.x(input).rank() == 4) return c.input(input);
  const int64_t width = c.x(input).rank() == 3 ? c.x(input).shape[2] : 0;
  if (heads > std::numeric_limits<int32_t>::max()) return Unsupported("{} is {}", attribute, heads);
  if (heads < 1 || width == 0 || (width != ir::kDynamic && width % heads != 0))
    return Invalid("input {}: expected 4 dimensions, or 3 and {}", input, attribute);
  return SplitHeads(c, c.input(input), heads);
}

ir::ValueId AfterPast(NodeContext& c, size_t past, ir::ValueId x) {
  return c.has_input(past) ? c.build.Concat({c.input(past), x}, 2) : x;
}

// The size of a dimension, as int64 [1].
ir::ValueId SizeOf(NodeContext& c, ir::ValueId x, int dim) { return c.build.SizesOf(x, dim, dim + 1); }

// Positions that the mask does not reach are masked.
ir::ValueId MaskBias(NodeContext& c, ir::ValueId key) {
  if (!c.has_input(kMask)) return ir::kNoValue;
  const bool flags = c.x(kMask).dtype == DType::kBool;
  const ir::ValueId bias = flags ? BiasFromMask(c, c.input(kMask), kMasked) : c.input(kMask);
  const int64_t positions = c.value(key).dim(2);
  const int64_t covered = c.x(kMask).shape.empty() ? ir::kDynamic : c.x(kMask).shape.back();
  if (positions == ir::kDynamic || covered == ir::kDynamic || covered >= positions || covered == 1)
    return bias;
  std::vector<int64_t> pads(static_cast<size_t>(2 * c.x(kMask).rank()), 0);
  pads.back() = positions - covered;
  return c.build.Padded(bias, pads, kMasked);
}

// [B] → [B,1,1,1]
ir::ValueId Lengths(NodeContext& c) {
  const ir::ValueId lengths = c.build.Reshape(c.input(kLengths), {kInferDim, 1, 1, 1});
  return c.build.As(lengths, DType::kInt64);
}

// How many positions come before the first of the query, as seen by the causal mask.
ir::ValueId PositionsBefore(NodeContext& c, ir::ValueId query) {
  if (c.has_input(kPastKey)) return SizeOf(c, c.input(kPastKey), 2);
  if (!c.has_input(kLengths)) return ir::kNoValue;
  return c.build.Sub(Lengths(c), SizeOf(c, query, 2));
}

ir::ValueId LengthBias(NodeContext& c, ir::ValueId key) {
  if (!c.has_input(kLengths)) return ir::kNoValue;
  const ir::ValueId valid = c.build.Less(PositionsOf(c, key, 2, 3, 4), Lengths(c));
  return BiasFromMask(c, valid, kMasked);
}

// Whether TensorScatter has made the input of a cache that grows (--kv-cache): all of its rows count.
bool Grows(const NodeContext& c, size_t input) {
  const auto& nodes = c.build.graph().nodes;
  ir::ValueId id = c.input(input);
  for (auto node = nodes.rbegin(); c.keeps_caches && node != nodes.rend(); ++node) {
    if ((*node)->outputs[0] != id) continue;
    if ((*node)->code == schema::OpCode::Concat) return (*node)->source_op == "TensorScatter";
    if ((*node)->code != schema::OpCode::Cast) return false;
    id = (*node)->inputs[0];
  }
  return false;
}

// The first one is [B,N,S,V].
Status ReturnMerged(NodeContext& c, std::vector<ir::ValueId> outputs) {
  if (c.x(kQuery).rank() == 3) outputs[0] = MergeHeads(c, outputs[0]);
  return c.Return(outputs);
}

Status ImportAttention(NodeContext& c) {
  c.Ignore({"softmax_precision"});
  const bool causal = c.Int("is_causal", 0) != 0;
  const int64_t mode = c.Int("qk_matmul_output_mode", 0);
  if (mode < 0 || mode > 3) return Invalid("qk_matmul_output_mode is not in [0, 3]");
  AttentionOperands o;
  o.scale = c.Float("scale", 0);
  o.softcap = c.Float("softcap", 0);
  MICRORT_ASSIGN_OR_RETURN(o.query, WithHeads(c, kQuery, "q_num_heads"));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId key, WithHeads(c, kKey, "kv_num_heads"));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId value, WithHeads(c, kValue, "kv_num_heads"));
  o.key = AfterPast(c, kPastKey, key);
  o.value = AfterPast(c, kPastValue, value);
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const bool grows = Grows(c, kKey) && Grows(c, kValue);
  if (grows && c.has_input(kMask))
    return Unsupported("--kv-cache: a mask of all rows of a cache of fixed size");
  o.bias = AddBiases(c, MaskBias(c, o.key), grows ? ir::kNoValue : LengthBias(c, o.key));
  // What is masked by position alone always leaves the position itself, unless lengths are in play.
  o.may_mask_rows = c.has_input(kMask) || (c.has_input(kLengths) && !grows);
  // Whether the queries are the last positions of the keys, as the operator takes them.
  const bool are_last = (c.has_input(kPastKey) && c.has_input(kPastValue)) || grows;
  const bool fuses = c.keeps_caches && !c.wants_output(3) && are_last;
  if (causal && !(fuses && o.bias == ir::kNoValue)) {
    const KeyCount keys = CountKeys(c, o.key, fuses ? o.bias : ir::kNoValue);
    o.bias = AddBiases(c, o.bias, CausalBias(c, o.query, keys, PositionsBefore(c, o.query), kMasked));
  }
  if (fuses) {
    MICRORT_ASSIGN_OR_RETURN(const ir::ValueId y, FusedAttention(c, o, causal, 0));
    return ReturnMerged(c, {y, o.key, o.value});
  }

  MICRORT_ASSIGN_OR_RETURN(AttentionValues values, ScaledDotProduct(c, o));
  if (mode == 2 && o.bias != ir::kNoValue) values.biased = c.build.Add(values.capped, o.bias);
  const ir::ValueId by_mode[] = {values.scores, values.capped, values.biased, values.weights};
  return ReturnMerged(c, {values.y, o.key, o.value, by_mode[mode]});
}

}  // namespace

const ImporterList AttentionImporters = {
    {"Attention", 3, 7, InFloat32<ImportAttention>, Types(kFloats).Since(23)},
};

}  // namespace micrort::frontend::onnx
