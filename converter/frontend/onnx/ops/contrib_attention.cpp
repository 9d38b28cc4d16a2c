// Attention and MultiHeadAttention of com.microsoft.

#include <limits>

#include "converter/frontend/onnx/node_context.h"
#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/ops/scaled_dot_product.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

// DecoderMaskedMultiHeadAttention of com.microsoft: one new position a run.

class DecoderMaskedAttention {
 public:
  explicit DecoderMaskedAttention(NodeContext& c) : c_(c) {}

  Status Import() {
    MICRORT_RETURN_IF_ERROR(Read());
    MICRORT_RETURN_IF_ERROR(c_.build.status());
    if (c_.has_input(kPastKey)) MICRORT_RETURN_IF_ERROR(Append());
    MICRORT_RETURN_IF_ERROR(AddMasks());
    MICRORT_ASSIGN_OR_RETURN(const AttentionValues values, Attend(c_, o_, c_.keeps_caches));
    return c_.Return({MergeHeads(c_, values.y), o_.key, o_.value});
  }

 private:
  enum Input : size_t { kQuery, kKey, kValue, kMask, kScoreBias, kPastKey, kPastValue, kPastLength };
  static constexpr size_t kBeams = 9, kBias = 10;

  Status Read() {
    heads_ = c_.Int("num_heads", 0);
    shares_ = c_.Int("past_present_share_buffer", 0) != 0 && c_.has_input(kPastKey);
    c_.Ignore({"output_qk"});
    if (heads_ < 1 || heads_ > 1 << 16) return Invalid("num_heads must be positive");
    if (c_.has_input(kBeams)) return Unsupported("beams (cache_indirection)");
    if (c_.wants_output(3)) return Unsupported("the scores as an output");
    if (!c_.has_input(kKey) || !c_.has_input(kValue) || c_.x(kQuery).rank() != 3 ||
        c_.has_input(kPastKey) != c_.has_input(kPastValue) || (shares_ && !c_.has_input(kPastLength)))
      return Invalid("expected a query of 3 dimensions, keys, values, and both caches or none");
    const int64_t width = c_.x(kQuery).shape[2];
    if (width < 1 || width % heads_ != 0 ||
        (c_.has_input(kBias) && (c_.x(kBias).rank() != 1 || c_.x(kBias).shape[0] != 3 * width)))
      return Unsupported("widths of query, key, value and bias that are not fixed, or differ");
    o_.scale = c_.Float("scale", 0);
    o_.query = WithHeads(kQuery, width);
    o_.key = WithHeads(kKey, width);
    o_.value = WithHeads(kValue, width);
    return Status();
  }

  ir::ValueId WithHeads(size_t input, int64_t width) {
    if (c_.x(input).rank() == 4) return c_.input(input);
    ir::ValueId x = c_.input(input);
    if (c_.has_input(kBias)) {
      const auto first = static_cast<int64_t>(input) * width;
      x = c_.build.Add(x, c_.build.Slice(c_.input(kBias), 0, first, first + width));
    }
    return SplitHeads(c_, x, heads_);
  }

  // Caches that grow; or, where past and present share memory, the new row replaces the first that does not
  // count.
  Status Append() {
    if (!shares_ || c_.keeps_caches) {
      o_.key = c_.build.Concat({c_.input(kPastKey), o_.key}, 2);
      o_.value = c_.build.Concat({c_.input(kPastValue), o_.value}, 2);
      return Status();
    }
    const ir::ValueId at = PositionsOf(c_, c_.input(kPastKey), 2, 2, 4);
    const ir::ValueId is_new = c_.build.Equal(at, PastLength());
    o_.key = c_.build.Select({is_new, o_.key, c_.input(kPastKey)});
    o_.value = c_.build.Select({is_new, o_.value, c_.input(kPastValue)});
    const ir::ValueId keys = PositionsOf(c_, o_.key, 2, 3, 4);
    const ir::ValueId seen = c_.build.LessOrEqual(keys, PastLength());
    o_.bias = BiasFromMask(c_, seen, -std::numeric_limits<float>::infinity());
    return c_.build.status();
  }

  ir::ValueId PastLength() {
    const ir::ValueId length = c_.build.Reshape(c_.input(kPastLength), {1, 1, 1, 1});
    return c_.build.As(length, DType::kInt64);
  }

  Status AddMasks() {
    if (c_.has_input(kMask)) {
      if (c_.x(kMask).rank() != 2 || (shares_ && !c_.keeps_caches))
        return Unsupported("a mask of other dimensions, or of caches that share memory");
      const ir::ValueId mask = c_.build.Reshape(c_.input(kMask), {CopyDim(0), 1, 1, CopyDim(1)});
      const ir::ValueId valid = c_.build.As(mask, DType::kBool);
      o_.bias = AddBiases(c_, o_.bias, BiasFromMask(c_, valid, c_.Float("mask_filter_value", -10000.0f)));
    }
    o_.bias = AddBiases(c_, o_.bias, c_.input(kScoreBias));
    return c_.build.status();
  }

  NodeContext& c_;
  AttentionOperands o_;
  int64_t heads_ = 0;
  bool shares_ = false;
};

// Inputs: query [B,1,N*D], key and value as the query or, of an encoder, [B,N,T,D]; mask [B,T]; bias of
// scores; past key and value; how many of their rows count; beam width, cache indirection; bias.
Status ImportDecoderMaskedAttention(NodeContext& c) { return DecoderMaskedAttention(c).Import(); }

ir::ValueId AsInt64(NodeContext& c, ir::ValueId x) { return c.build.As(x, DType::kInt64); }

// [B] valid positions, or [2 * B] ends, then starts; `keys` as [B,N,T,D].
Result<ir::ValueId> RangeMask(NodeContext& c, ir::ValueId mask, ir::ValueId keys) {
  const int64_t batch = c.value(keys).dim(0), entries = c.value(mask).dim(0);
  const ir::ValueId at = PositionsOf(c, keys, 2, 3, 4);
  const auto part = [&](int64_t first) {
    const ir::ValueId some = entries == batch ? mask : c.build.Slice(mask, 0, first, first + batch);
    return c.build.Reshape(AsInt64(c, some), {kInferDim, 1, 1, 1});
  };
  if (entries != batch && (batch == ir::kDynamic || entries != 2 * batch))
    return Unsupported("a mask of {} entries for a batch of {}", entries, batch);
  const ir::ValueId valid = c.build.Less(at, part(0));
  return entries == batch ? valid : c.build.And(valid, c.build.LessOrEqual(part(batch), at));
}

// The last S rows and first T columns of [B,1,M,M].
Result<ir::ValueId> SquareMask(NodeContext& c, ir::ValueId mask, int64_t queries, int64_t keys) {
  if (queries == ir::kDynamic || keys == ir::kDynamic)
    return Unsupported("a square mask needs a fixed number of positions");
  return c.build.Slice(c.build.Slice(mask, 2, keys - queries, keys), 3, 0, keys);
}

// Masks that say by 0 what is not seen, of all forms.
Status MaskBias(NodeContext& c, size_t input, ir::ValueId query, ir::ValueId keys, float masked,
                ir::ValueId* bias) {
  if (!c.has_input(input)) return Status();
  ir::ValueId mask = c.input(input);
  ir::ValueId valid = ir::kNoValue;
  const int rank = c.x(input).rank();
  if (rank < 1 || rank > 4) return Invalid("a mask of {} dimensions", rank);
  if (rank == 1) {
    MICRORT_ASSIGN_OR_RETURN(valid, RangeMask(c, mask, keys));
  } else {
    if (rank == 2) mask = c.build.Reshape(mask, {CopyDim(0), 1, 1, CopyDim(1)});
    if (rank == 3) mask = c.build.Reshape(mask, {CopyDim(0), 1, CopyDim(1), CopyDim(2)});
    if (rank == 4)
      MICRORT_RETURN_IF_ERROR(Take(SquareMask(c, mask, c.value(query).dim(2), c.value(keys).dim(2)), &mask));
    valid = c.build.As(mask, DType::kBool);
  }
  *bias = AddBiases(c, *bias, BiasFromMask(c, valid, masked));
  return Status();
}

struct Masks {
  size_t mask, bias;  // inputs
  ir::ValueId past;   // [B,N,P,D], or absent
};

Status ReadBias(NodeContext& c, const Masks& masks, AttentionOperands* o) {
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const float masked = c.Float("mask_filter_value", -10000.0f);
  MICRORT_RETURN_IF_ERROR(MaskBias(c, masks.mask, o->query, o->key, masked, &o->bias));
  o->bias = AddBiases(c, o->bias, c.input(masks.bias));
  if (c.Int("unidirectional", 0) == 0) return Status();
  const ir::ValueId before = masks.past == ir::kNoValue ? ir::kNoValue : c.build.SizesOf(masks.past, 2, 3);
  o->bias = AddBiases(c, o->bias,
                      CausalBias(c, o->query, CountKeys(c, o->key, c.keeps_caches ? o->bias : ir::kNoValue),
                                 before, -std::numeric_limits<float>::infinity()));
  return Status();
}

// Two of [B,N,T,D] → [2,B,N,T,D]
ir::ValueId Stack(NodeContext& c, ir::ValueId a, ir::ValueId b) {
  const std::vector<int32_t> shape = {1, CopyDim(0), CopyDim(1), CopyDim(2), CopyDim(3)};
  return c.build.Concat({c.build.Reshape(a, shape), c.build.Reshape(b, shape)}, 0);
}

Result<int64_t> ReadHeads(NodeContext& c) {
  const int64_t heads = c.Int("num_heads", 0);
  if (heads < 1 || heads >= 1 << 20) return Invalid("num_heads must be positive");
  return heads;
}

// Where the columns of the projection of query, key and value end.
Status ProjectionEnds(NodeContext& c, int64_t heads, int64_t (&ends)[3]) {
  const int64_t width = c.x(1).rank() == 2 ? c.x(1).shape[1] : ir::kDynamic;
  std::vector<int64_t> sizes = c.Ints("qkv_hidden_sizes");
  if (sizes.empty()) sizes.assign(3, width / 3);
  if (width < 1 || sizes.size() != 3) return Unsupported("weights of such a shape");
  int64_t end = 0;
  for (size_t i = 0; i < 3; ++i) {
    if (sizes[i] < 1 || sizes[i] > width || sizes[i] % heads != 0)
      return Invalid("{} numbers cannot be split into {} heads", sizes[i], heads);
    ends[i] = end += sizes[i];
  }
  return end == width ? Status() : Invalid("query, key and value do not cover the weights");
}

// Inputs: x [B,S,I], weights [I,Q+K+V], bias, mask, past [2,B,N,P,D], bias of scores.
Status ImportMicrosoftAttention(NodeContext& c) {
  c.Ignore({"past_present_share_buffer"});
  if (c.Int("do_rotary", 0) != 0) return Unsupported("do_rotary");
  if (c.has_input(6)) return Unsupported("past and present in one buffer");
  int64_t ends[3] = {};
  MICRORT_ASSIGN_OR_RETURN(const int64_t heads, ReadHeads(c));
  MICRORT_RETURN_IF_ERROR(ProjectionEnds(c, heads, ends));
  std::vector<ir::ValueId> inputs = {c.input(0), c.input(1)};
  if (c.has_input(2)) inputs.push_back(c.input(2));
  const ir::ValueId projected = c.build.Add(schema::MatMulOptionsT(), std::move(inputs));
  const auto part = [&](int i) {
    return SplitHeads(c, c.build.Slice(projected, 2, i == 0 ? 0 : ends[i - 1], ends[i]), heads);
  };
  AttentionOperands o;
  o.scale = c.Float("scale", 0);
  o.query = part(0);
  o.key = part(1);
  o.value = part(2);
  Masks masks = {3, 5, ir::kNoValue};
  if (c.has_input(4)) {
    masks.past = c.build.PickAt(c.input(4), 0, 0);
    o.key = c.build.Concat({masks.past, o.key}, 2);
    o.value = c.build.Concat({c.build.PickAt(c.input(4), 0, 1), o.value}, 2);
  }
  MICRORT_RETURN_IF_ERROR(ReadBias(c, masks, &o));
  MICRORT_ASSIGN_OR_RETURN(const AttentionValues values, Attend(c, o, c.keeps_caches && c.has_input(4)));
  if (c.wants_output(1)) c.SetOutput(1, Stack(c, o.key, o.value));
  return c.Return(MergeHeads(c, values.y));
}

// Reads query, key and value of MultiHeadAttention: each [B,S,N*D], packed [B,S,N,2 or 3,D] or, of key and
// value, [B,N,T,D].
class HeadOperands {
 public:
  HeadOperands(NodeContext& c, int64_t heads) : c_(c), heads_(heads) {}

  Status Read(AttentionOperands* o) {
    const bool packed = c_.x(0).rank() == 5;
    if (!packed && (c_.x(0).rank() != 3 || !c_.has_input(1)))
      return Invalid("expected a query of 3 dimensions and a key, or 5 dimensions");
    const bool packed_key = !packed && c_.x(1).rank() == 5;
    if (!packed && !packed_key && !c_.has_input(2)) return Invalid("no value is given");
    if (c_.has_input(3) && (packed || packed_key)) return Unsupported("a bias of packed operands");
    if (c_.has_input(3) && !CoversOperands(c_.x(3)))
      return Invalid("the bias does not have the widths of query, key and value");
    o->query = packed ? Packed(0, 0) : WithHeads(0);
    o->key = packed ? Packed(0, 1) : packed_key ? Packed(1, 0) : WithHeads(1);
    o->value = packed ? Packed(0, 2) : packed_key ? Packed(1, 1) : WithHeads(2);
    return c_.build.status();
  }

 private:
  // Those that have their heads already get none of it. The widths are fixed where there is a bias.
  bool CoversOperands(const ir::Value& bias) const {
    int64_t widths = 0;
    bool all = true;
    for (size_t i = 0; i < 3; ++i) {
      const ir::Value& x = c_.x(i);
      if (x.rank() == 3) widths += x.shape[2];
      all &= x.rank() == 3;
    }
    return bias.rank() == 1 && (all ? bias.shape[0] == widths : bias.shape[0] >= widths);
  }

  ir::ValueId Packed(size_t input, int64_t index) {
    return c_.build.Transpose(c_.build.PickAt(c_.input(input), 3, index), {0, 2, 1, 3});
  }

  ir::ValueId WithHeads(size_t input) {
    if (c_.x(input).rank() == 4) return c_.input(input);
    ir::ValueId x = c_.input(input);
    const int64_t width = c_.x(input).shape.empty() ? 0 : c_.x(input).shape.back();
    if (c_.has_input(3)) {
      // The biases follow each other; that of the value is the last.
      const int64_t first = input == 2 ? c_.x(3).shape[0] - width : static_cast<int64_t>(input) * width;
      x = c_.build.Add(x, c_.build.Slice(c_.input(3), 0, first, first + width));
    }
    return SplitHeads(c_, x, heads_);
  }

  NodeContext& c_;
  const int64_t heads_;
};

// Inputs: query, key, value, bias, mask, bias of scores, past key and value [B,N,P,D].
Status ImportMultiHeadAttention(NodeContext& c) {
  if (c.has_input(8) || c.has_input(9)) return Unsupported("past and present in one buffer");
  MICRORT_ASSIGN_OR_RETURN(int64_t heads, ReadHeads(c));
  for (size_t i = 0; i < 3; ++i) {
    if (c.has_input(3) && c.has_input(i) && c.x(i).rank() == 3 && c.x(i).shape[2] == ir::kDynamic)
      return Unsupported("the width of input {} is not fixed", i);
  }
  if (c.has_input(3) && c.x(3).rank() == 1 && c.x(3).shape[0] == ir::kDynamic)
    return Unsupported("the length of the bias is not fixed");
  AttentionOperands o;
  o.scale = c.Float("scale", 0);
  MICRORT_RETURN_IF_ERROR(HeadOperands(c, heads).Read(&o));
  if (c.has_input(6)) o.key = c.build.Concat({c.input(6), o.key}, 2);
  if (c.has_input(7)) o.value = c.build.Concat({c.input(7), o.value}, 2);
  MICRORT_RETURN_IF_ERROR(ReadBias(c, {4, 5, c.input(6)}, &o));
  const bool fuses = c.keeps_caches && c.has_input(6) && c.has_input(7) && !c.wants_output(3);
  MICRORT_ASSIGN_OR_RETURN(const AttentionValues values, Attend(c, o, fuses));
  return c.Return({MergeHeads(c, values.y), o.key, o.value, values.scores});
}

}  // namespace

const ImporterList ContribAttentionImporters = {
    {"com.microsoft.Attention", 2, 7, InFloat32<ImportMicrosoftAttention>,
     Types(kFloats).Without("do_rotary, past and present in one buffer")},
    {"com.microsoft.DecoderMaskedMultiHeadAttention", 1, 11, InFloat32<ImportDecoderMaskedAttention>,
     Types(kFloats).Without("beams (cache_indirection), the scores as an output")},
    {"com.microsoft.MultiHeadAttention", 1, 10, InFloat32<ImportMultiHeadAttention>,
     Types(kFloats).Without("masks of cumulated lengths, past and present in one buffer")},
};

}  // namespace micrort::frontend::onnx
