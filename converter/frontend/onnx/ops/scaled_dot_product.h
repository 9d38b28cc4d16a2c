#pragma once
// Attention by scaled dot products, made of matrix products and a softmax, and what masks are made of.
//
// Shapes: B batch, N heads of the query, M heads of key and value (N is a multiple of M), S and T positions
// of the query and of key and value, D and V numbers a head.

#include <limits>

#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

// The bias of a key that a position does not see.
constexpr float kMasked = -std::numeric_limits<float>::infinity();

struct AttentionOperands {
  ir::ValueId query, key, value;    // [B,N,S,D], [B,M,T,D], [B,M,T,V], all float32
  ir::ValueId bias = ir::kNoValue;  // added to the scores, broadcast to [B,N,S,T]
  float scale = 0;                  // 0: 1 / sqrt(D)
  float softcap = 0;                // scores become softcap * tanh(scores / softcap); 0: they do not
  ir::ValueId sinks =
      ir::kNoValue;            // [N]: a score more in each softmax, without a value; FusedAttention only
  bool may_mask_rows = false;  // a row whose bias is -infinity everywhere gives weights of 0, not NaN
};

struct AttentionValues {
  ir::ValueId y = ir::kNoValue;  // [B,N,S,V]
  // [B,N,S,T], of one step after the other; what is `biased` has no bias in rows that are masked.
  ir::ValueId scores = ir::kNoValue, capped = scores, biased = scores, weights = scores;
};

// Query head n looks at the head n / (N / M) of key and value. kUnsupported if N, M or D is not fixed.
Result<AttentionValues> ScaledDotProduct(NodeContext& c, const AttentionOperands& operands);

// The same as one operator. causal: position s of the query sees what is not behind position T - S + s of the
// keys, or, if `window` is not 0, so many of these at most; there is no bias beside a window.
Result<ir::ValueId> FusedAttention(NodeContext& c, const AttentionOperands& operands, bool causal,
                                   int32_t window);
// One of both; as one operator, y alone.
Result<AttentionValues> Attend(NodeContext& c, const AttentionOperands& operands, bool fuses);

// [B,S,heads*D] → [B,heads,S,D], and back.
ir::ValueId SplitHeads(NodeContext& c, ir::ValueId x, int64_t heads);
ir::ValueId MergeHeads(NodeContext& c, ir::ValueId x);

// 0, 1 ... along `axis` of `rank` dimensions, as int64: as many as dimension `dim` of `of`.
ir::ValueId PositionsOf(NodeContext& c, ir::ValueId of, int dim, int axis, int rank);

// Bias: 0 where a mask (bool) is true, `masked` elsewhere.
ir::ValueId BiasFromMask(NodeContext& c, ir::ValueId mask, float masked);
// A dimension with as many elements as there are keys.
struct KeyCount {
  ir::ValueId of;
  int dim;
};
// Counts the keys of `bias`, if it has a number for each, or else of `key`: sizes of a bias that is an input
// are the caller's.
KeyCount CountKeys(NodeContext& c, ir::ValueId key, ir::ValueId bias);

// The bias [1,1,S,T] under which position s + past sees what is not behind it; `past` (int64, broadcast) may
// be absent: 0.
ir::ValueId CausalBias(NodeContext& c, ir::ValueId query, KeyCount keys, ir::ValueId past, float masked);
// Either may be absent.
ir::ValueId AddBiases(NodeContext& c, ir::ValueId a, ir::ValueId b);

}  // namespace micrort::frontend::onnx
