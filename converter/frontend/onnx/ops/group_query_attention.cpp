// GroupQueryAttention of com.microsoft, as exporters of language models write it: keys and values of the past
// are in a cache, and each item of the batch has a length of its own.

#include <limits>

#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/ops/rotation.h"
#include "converter/frontend/onnx/ops/scaled_dot_product.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

// B batch, N heads of the query, M of keys and values, S new positions, P of the cache, T of the new cache.
class GroupQueryAttention {
 public:
  explicit GroupQueryAttention(NodeContext& c) : c_(c) {}

  Status Import() {
    MICRORT_RETURN_IF_ERROR(ReadAttributes());
    MICRORT_RETURN_IF_ERROR(ReadOperands());
    FindPast();
    if (rotates_) MICRORT_RETURN_IF_ERROR(RotateOperands());
    AppendToCache();
    MICRORT_RETURN_IF_ERROR(c_.build.status());
    AttentionValues values = {};
    if (c_.keeps_caches || operands_.sinks != ir::kNoValue) {
      MICRORT_ASSIGN_OR_RETURN(values.y, Fuse());
    } else {
      operands_.bias = AddBiases(c_, VisibleBias(), c_.input(kBias));
      MICRORT_ASSIGN_OR_RETURN(values, ScaledDotProduct(c_, operands_));
    }
    return c_.Return({MergeHeads(c_, values.y), operands_.key, operands_.value});
  }

 private:
  static constexpr size_t kQuery = 0, kKey = 1, kValue = 2, kPastKey = 3, kPastValue = 4, kLastPositions = 5;
  static constexpr size_t kTotal = 6, kCos = 7, kSin = 8, kPositions = 9, kBias = 10, kSink = 11;

  // With as much of the mask as the operator knows by itself: where it keeps caches, that queries are last.
  Result<ir::ValueId> Fuse() {
    const bool has_window = window_ > 0 && window_ <= std::numeric_limits<int32_t>::max();
    const bool knows_all = c_.keeps_caches && (!has_window || !c_.has_input(kBias));
    operands_.bias = AddBiases(c_, knows_all ? ir::kNoValue : VisibleBias(), c_.input(kBias));
    return FusedAttention(c_, operands_, c_.keeps_caches,
                          knows_all && has_window ? static_cast<int32_t>(window_) : 0);
  }

  // A softmax that is smooth has a sink of 0.
  Status ReadSinks() {
    const bool is_smooth = c_.Int("smooth_softmax", 0) > 0;
    if (!c_.has_input(kSink) && !is_smooth) return Status();
    if (!c_.has_input(kSink)) {
      operands_.sinks = c_.build.Constant<float>({heads_}, std::vector<float>(static_cast<size_t>(heads_)));
      return c_.build.status();
    }
    const ir::Value& sinks = c_.x(kSink);
    if (sinks.elements() != heads_) return Invalid("expected a sink for each head");
    operands_.sinks = c_.build.Reshape(c_.input(kSink), {static_cast<int32_t>(heads_)});
    return c_.build.status();
  }

  Status ReadAttributes() {
    if (!c_.has_input(kLastPositions) || !c_.has_input(kTotal))
      return Invalid("the lengths of the items are absent");
    heads_ = c_.Int("num_heads", 0);
    groups_ = c_.Int("kv_num_heads", 0);
    rotates_ = c_.Int("do_rotary", 0) != 0;
    interleaved_ = c_.Int("rotary_interleaved", 0) != 0;
    window_ = c_.Int("local_window_size", -1);
    operands_.scale = c_.Float("scale", 0);
    operands_.softcap = c_.Float("softcap", 0);
    for (size_t i = kSink + 1; i < c_.input_count(); ++i) {
      if (c_.has_input(i)) return Unsupported("input {}", i);
    }
    c_.Ignore({"qk_output", "kv_cache_bit_width"});  // of outputs and inputs that are refused
    for (const char* quantized : {"k_quant_type", "v_quant_type"}) {
      if (c_.String(quantized, "NONE") != "NONE") return Unsupported("a quantized cache");
    }
    if (heads_ < 1 || groups_ < 1 || heads_ > 1 << 16 || heads_ % groups_ != 0)
      return Invalid("{} heads of the query, {} of keys", heads_, groups_);
    return ReadSinks();
  }

  // Query, key and value lie side by side in input 0 where the other two are absent.
  Status ReadOperands() {
    const bool packed = !c_.has_input(kKey);
    const int64_t width = c_.x(kQuery).rank() == 3 ? c_.x(kQuery).shape[2] : ir::kDynamic;
    const int64_t all_heads = packed ? heads_ + 2 * groups_ : heads_;
    if (width < 1 || width % all_heads != 0 || packed == c_.has_input(kValue) ||
        c_.has_input(kPastKey) != c_.has_input(kPastValue))
      return Invalid("expected a query of 3 dimensions, keys and values or neither");
    size_ = width / all_heads;
    const auto part = [&](int64_t first, int64_t count) {
      const ir::ValueId x = c_.build.Slice(c_.input(kQuery), 2, first * size_, (first + count) * size_);
      return SplitHeads(c_, x, count);
    };
    operands_.query = packed ? part(0, heads_) : SplitHeads(c_, c_.input(kQuery), heads_);
    operands_.key = packed ? part(heads_, groups_) : SplitHeads(c_, c_.input(kKey), groups_);
    operands_.value = packed ? part(heads_ + groups_, groups_) : SplitHeads(c_, c_.input(kValue), groups_);
    return c_.build.status();
  }

  ir::ValueId Int64(size_t input) {
    return c_.x(input).dtype == DType::kInt64 ? c_.input(input)
                                              : c_.build.Cast(c_.input(input), DType::kInt64);
  }
  // The size of a dimension, as int64 [1].
  ir::ValueId SizeOf(ir::ValueId x, int dim) { return c_.build.SizesOf(x, dim, dim + 1); }

  // past_, [B,1]: how many positions of the cache count; none where all positions are new.
  void FindPast() {
    if (c_.keeps_caches && c_.has_input(kPastKey)) {
      past_ = c_.build.Reshape(SizeOf(c_.input(kPastKey), 2), {1, 1});
      return;
    }
    const ir::ValueId news = SizeOf(operands_.query, 2);
    const ir::ValueId last = c_.build.Reshape(Int64(kLastPositions), {kInferDim, 1});
    const ir::ValueId after = c_.build.Add(last, c_.build.Integers({1}));
    total_ = c_.build.Reshape(Int64(kTotal), {1});
    const ir::ValueId all_new = c_.build.Equal(total_, news);
    past_ = c_.build.Select({all_new, c_.build.Integers({0}), c_.build.Sub(after, news)});
  }

  Status RotateOperands() {
    if (!c_.has_input(kCos) || !c_.has_input(kSin) || c_.x(kCos).rank() != 2 || c_.x(kCos).shape[1] < 1)
      return Invalid("do_rotary needs tables of cosines and sines");
    ir::ValueId positions = c_.input(kPositions);
    if (positions == ir::kNoValue) positions = c_.build.Add(past_, PositionsOf(c_, operands_.query, 2, 1, 2));
    Rotation r;
    r.size = 2 * c_.x(kCos).shape[1];
    if (r.size > size_) return Invalid("more angles than numbers of a head");
    r.interleaved = interleaved_;
    r.cos = Angles(c_, c_.input(kCos), positions, 1);
    r.sin = Angles(c_, c_.input(kSin), positions, 1);
    for (ir::ValueId* x : {&operands_.query, &operands_.key}) {
      MICRORT_RETURN_IF_ERROR(c_.build.status());
      r.x = *x;
      *x = Rotate(c_, r);
    }
    return c_.build.status();
  }

  // Position t of the new cache comes from the old one, or from the new positions behind it.
  void AppendToCache() {
    if (!c_.has_input(kPastKey)) return;
    if (c_.keeps_caches) {
      operands_.key = c_.build.Concat({c_.input(kPastKey), operands_.key}, 2);
      operands_.value = c_.build.Concat({c_.input(kPastValue), operands_.value}, 2);
      return;
    }
    const ir::ValueId cached = SizeOf(c_.input(kPastKey), 2), news = SizeOf(operands_.key, 2);
    const ir::ValueId length = c_.build.Reshape(c_.build.Max(cached, total_), {});
    const ir::ValueId at = c_.build.Reshape(Arange(c_, length), {1, kInferDim});
    const ir::ValueId in_new = c_.build.Sub(at, past_);
    const ir::ValueId begun = c_.build.GreaterOrEqual(in_new, c_.build.Integers({0}));
    const ir::ValueId not_over = c_.build.Less(in_new, news);
    const ir::ValueId both = c_.build.Add(cached, news);
    const ir::ValueId last = c_.build.Sub(both, c_.build.Integers({1}));
    const ir::ValueId from = c_.build.Select(
        {c_.build.And(begun, not_over), c_.build.Add(in_new, cached), c_.build.Min(at, last)});
    const ir::ValueId sources = c_.build.Reshape(from, {CopyDim(0), CopyDim(1), 1});
    operands_.key = Joined(c_.input(kPastKey), operands_.key, sources);
    operands_.value = Joined(c_.input(kPastValue), operands_.value, sources);
  }

  ir::ValueId Joined(ir::ValueId past, ir::ValueId x, ir::ValueId sources) {
    const ir::ValueId both = c_.build.Transpose(c_.build.Concat({past, x}, 2), {0, 2, 1, 3});
    return c_.build.Transpose(c_.build.GatherND({both, sources}, 1), {0, 2, 1, 3});
  }

  // A position sees itself and those before it, or only `window_` of them.
  ir::ValueId VisibleBias() {
    const ir::ValueId past = c_.build.Reshape(past_, {CopyDim(0), 1, 1, 1});
    const KeyCount count = CountKeys(c_, operands_.key, c_.keeps_caches ? c_.input(kBias) : ir::kNoValue);
    const ir::ValueId causal = CausalBias(c_, operands_.query, count, past, kMasked);
    if (window_ < 1) return causal;
    const ir::ValueId at = c_.build.Add(PositionsOf(c_, operands_.query, 2, 2, 4), past);
    const ir::ValueId first = c_.build.Sub(at, c_.build.Integers({window_}));
    const ir::ValueId keys = PositionsOf(c_, count.of, count.dim, 3, 4);
    return AddBiases(c_, causal, BiasFromMask(c_, c_.build.Less(first, keys), kMasked));
  }

  NodeContext& c_;
  int64_t heads_ = 0, groups_ = 0, size_ = 0, window_ = -1;
  bool rotates_ = false, interleaved_ = false;
  AttentionOperands operands_;
  ir::ValueId past_ = ir::kNoValue;   // [B,1]
  ir::ValueId total_ = ir::kNoValue;  // [1]: positions of the longest item, with the new ones
};

Status ImportGroupQueryAttention(NodeContext& c) { return GroupQueryAttention(c).Import(); }

}  // namespace

const ImporterList GroupQueryAttentionImporters = {
    {"com.microsoft.GroupQueryAttention", 1, 14, InFloat32<ImportGroupQueryAttention>,
     Types(kFloats).Without("quantized caches, the scores as an output")},
};

}  // namespace micrort::frontend::onnx
