// Attention as one operator.

#include <algorithm>
#include <cmath>
#include <limits>

#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

// A mask of bools says what takes part, another one is added.
ir::ValueId Masked(OpContext& c, ir::ValueId scores, ir::ValueId mask) {
  if (mask == ir::kNoValue) return scores;
  if (c.dtype(mask) != DType::kBool) return c.build.Add(scores, c.CastTo(mask, c.dtype(scores)));
  return c.build.Select({mask, scores, c.Scalar(c.dtype(scores), -INFINITY)});
}

ir::ValueId Attend(OpContext& c, ir::ValueId q, ir::ValueId k, ir::ValueId v, ir::ValueId mask,
                   double scale) {
  const ir::ValueId product = c.Onnx("MatMul", {q, c.build.SwapLastTwo(k)});
  const ir::ValueId scores = Masked(c, c.build.Mul(product, c.Scalar(c.dtype(q), scale)), mask);
  return c.Onnx("MatMul", {c.Onnx("Softmax", {scores}, {{"axis", int64_t{-1}}}), v});
}

constexpr int64_t kMaxMaskElements = 1 << 26;

// The lower triangle of [L, S].
ir::ValueId CausalMask(OpContext& c, ir::ValueId q, ir::ValueId k) {
  const int64_t rows = c.FixedDim(q, c.rank(q) - 2), columns = c.FixedDim(k, c.rank(k) - 2);
  if (rows > kMaxMaskElements / std::max<int64_t>(columns, 1)) {
    c.Fail(Unsupported("a causal mask of {}x{}", rows, columns));
    return ir::kNoValue;
  }
  ir::Bytes mask(static_cast<size_t>(rows * columns));
  for (int64_t i = 0; i < rows * columns; ++i)
    mask[static_cast<size_t>(i)] = i % columns <= i / columns ? 1 : 0;
  return c.build.graph().AddConstant("causal_mask", DType::kBool, {rows, columns}, std::move(mask));
}

// (query, key, value, attn_mask, dropout_p, is_causal, scale)
void ImportScaledDotProduct(OpContext& c) {
  const ir::ValueId q = c.TensorAt(0), k = c.TensorAt(1);
  const double own = 1 / std::sqrt(static_cast<double>(c.FixedDim(q, c.rank(q) - 1)));
  const ir::ValueId mask = c.Bool(5, false) ? CausalMask(c, q, k) : c.OptionalTensor(3);
  c.Return(Attend(c, q, k, c.TensorAt(2), mask, c.Float(6, own)));
}

ir::ValueId Affine(OpContext& c, ir::ValueId x, ir::ValueId weight, ir::ValueId bias) {
  const ir::ValueId y = c.Onnx("MatMul", {x, c.Onnx("Transpose", {weight})});
  return bias == ir::kNoValue ? y : c.build.Add(y, bias);
}

// [B,T,E] → [B,heads,T,E/heads]
ir::ValueId Heads(OpContext& c, ir::ValueId x, int64_t heads, int64_t size) {
  return c.build.Transpose(c.Onnx("Reshape", {x, c.Integers({0, 0, heads, size / heads})}), {0, 2, 1, 3});
}

// What is masked out is true here: of tokens [B,S], or of pairs [L,S].
ir::ValueId WhatTakesPart(OpContext& c, ir::ValueId mask, int64_t kind) {
  if (mask == ir::kNoValue) return mask;
  if (c.dtype(mask) != DType::kBool) return mask;
  const ir::ValueId in = c.build.Not(mask);
  return kind == 1 ? c.Onnx("Unsqueeze", {in, c.Integers({1, 2})}) : in;
}

struct SelfAttention {
  int64_t size, heads;
  ir::ValueId qkv_weight, qkv_bias, out_weight, out_bias, mask;
  int64_t mask_kind;
};

ir::ValueId SelfAttend(OpContext& c, ir::ValueId q, ir::ValueId k, ir::ValueId v, const SelfAttention& a) {
  const auto part = [&](ir::ValueId x, int64_t i) {
    return c.build.Slice(x, 0, i * a.size, (i + 1) * a.size);
  };
  const auto projected = [&](ir::ValueId x, int64_t i) {
    return Heads(c, Affine(c, x, part(a.qkv_weight, i), part(a.qkv_bias, i)), a.heads, a.size);
  };
  const double scale = 1 / std::sqrt(static_cast<double>(a.size) / static_cast<double>(a.heads));
  const ir::ValueId y = Attend(c, projected(q, 0), projected(k, 1), projected(v, 2),
                               WhatTakesPart(c, a.mask, a.mask_kind), scale);
  const ir::ValueId together =
      c.Onnx("Reshape", {c.build.Transpose(y, {0, 2, 1, 3}), c.Integers({0, 0, a.size})});
  return Affine(c, together, a.out_weight, a.out_bias);
}

bool CheckHeads(OpContext& c, const SelfAttention& a) {
  const bool fits =
      a.heads > 0 && a.size > 0 && a.size <= std::numeric_limits<int32_t>::max() && a.size % a.heads == 0;
  if (!fits) c.Fail(Invalid("{} heads", a.heads));
  return fits;
}

// (query, key, value, embed_dim, num_head, qkv_weight, qkv_bias, proj_weight, proj_bias, mask, need_weights,
// average_attn_weights, mask_type)
void ImportMultiHeadAttention(OpContext& c) {
  const SelfAttention a = {c.Int(3, 1),   c.Int(4, 1),   c.TensorAt(5),       c.TensorAt(6),
                           c.TensorAt(7), c.TensorAt(8), c.OptionalTensor(9), c.Int(12, 1)};
  if (!CheckHeads(c, a)) return;
  if (c.Bool(10, true)) return c.Fail(Unsupported("weights of attention as an output"));
  const ir::ValueId y = SelfAttend(c, c.TensorAt(0), c.TensorAt(1), c.TensorAt(2), a);
  c.ReturnTuple({y, y});
}

// (src, embed_dim, num_heads, qkv_weight, qkv_bias, proj_weight, proj_bias, use_gelu, norm_first, eps,
// norm_weight_1, norm_bias_1, norm_weight_2, norm_bias_2, ffn_weight_1, ffn_bias_1, ffn_weight_2, ffn_bias_2,
// mask, mask_type)
void ImportEncoderLayer(OpContext& c) {
  const SelfAttention a = {c.Int(1, 1),   c.Int(2, 1),   c.TensorAt(3),        c.TensorAt(4),
                           c.TensorAt(5), c.TensorAt(6), c.OptionalTensor(18), c.Int(19, 1)};
  if (!CheckHeads(c, a)) return;
  const auto norm = [&](ir::ValueId x, size_t weight) {
    return c.Onnx("LayerNormalization", {x, c.TensorAt(weight), c.TensorAt(weight + 1)},
                  {{"axis", int64_t{-1}}, {"epsilon", static_cast<float>(c.Float(9, 1e-5))}});
  };
  const auto feed_forward = [&](ir::ValueId x) {
    const ir::ValueId inner = Affine(c, x, c.TensorAt(14), c.TensorAt(15));
    return Affine(c, c.Onnx(c.Bool(7, false) ? "Gelu" : "Relu", {inner}), c.TensorAt(16), c.TensorAt(17));
  };
  const bool norm_first = c.Bool(8, false);
  ir::ValueId x = c.TensorAt(0);
  const ir::ValueId before = norm_first ? norm(x, 10) : x;
  x = c.build.Add(x, SelfAttend(c, before, before, before, a));
  if (!norm_first) x = norm(x, 10);
  x = c.build.Add(x, feed_forward(norm_first ? norm(x, 12) : x));
  c.Return(norm_first ? x : norm(x, 12));
}

}  // namespace

const ImporterList AttentionOps = {
    {"_native_multi_head_attention",
     "query key value embed_dim num_head qkv_weight qkv_bias proj_weight proj_bias mask need_weights "
     "average_attn_weights mask_type",
     ImportMultiHeadAttention, "weights of attention as an output"},
    {"_transformer_encoder_layer_fwd",
     "src embed_dim num_heads qkv_weight qkv_bias proj_weight proj_bias use_gelu norm_first eps "
     "norm_weight_1 "
     "norm_bias_1 norm_weight_2 norm_bias_2 ffn_weight_1 ffn_bias_1 ffn_weight_2 ffn_bias_2 mask mask_type",
     ImportEncoderLayer},
    {"scaled_dot_product_attention", "query key value attn_mask dropout_p is_causal scale enable_gqa",
     ImportScaledDotProduct},
};

}  // namespace micrort::frontend::torchscript
