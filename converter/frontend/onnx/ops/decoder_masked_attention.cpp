#include "converter/frontend/onnx/ops/decoder_masked_attention.h"

#include <limits>

#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/ops/scaled_dot_product.h"

namespace micrort::frontend::onnx {

namespace {

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
    return c_.x(kPastLength).dtype == DType::kInt64 ? length : c_.build.Cast(length, DType::kInt64);
  }

  Status AddMasks() {
    if (c_.has_input(kMask)) {
      if (c_.x(kMask).rank() != 2 || (shares_ && !c_.keeps_caches))
        return Unsupported("a mask of other dimensions, or of caches that share memory");
      const ir::ValueId mask = c_.build.Reshape(c_.input(kMask), {CopyDim(0), 1, 1, CopyDim(1)});
      const ir::ValueId valid =
          c_.value(mask).dtype == DType::kBool ? mask : c_.build.Cast(mask, DType::kBool);
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

}  // namespace

Status ImportDecoderMaskedAttention(NodeContext& c) { return DecoderMaskedAttention(c).Import(); }

}  // namespace micrort::frontend::onnx
