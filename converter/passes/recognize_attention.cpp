// Recognizes attention, Softmax(q * k^T * scale + mask) * v, over heads: the matrix of scores is then never
// there as a whole.

#include <optional>
#include <utility>
#include <vector>

#include "converter/passes/keeps_caches.h"
#include "converter/passes/passes.h"
#include "converter/passes/site_match.h"

namespace micrort::passes {
namespace {

using schema::BinaryKind;
using schema::OpCode;

struct Scores {
  ir::ValueId q = ir::kNoValue, k = ir::kNoValue;
  std::vector<ir::ValueId> masks = {};  // whose sum is the mask
  float scale = 1;
  float softcap = 0;  // 0: none
};

// A float matrix product of heads [..., T, D], with nothing in its epilogue.
bool IsPlainProduct(const Site& site, const ir::Node& node, bool transpose_b) {
  const auto is_float = [&](ir::ValueId id) { return site.graph.value(id).dtype == DType::kFloat32; };
  return node.code == OpCode::MatMul && is_float(node.inputs[0]) && is_float(node.inputs[1]) &&
         node.inputs.size() == 2 && !HasActivation(node) &&
         node.as<schema::MatMulOptionsT>().transpose_b == transpose_b;
}

// The producer, if nobody else reads the value.
ir::Node* OnlyForOne(const Site& site, ir::ValueId id) {
  return id != ir::kNoValue && site.uses.single_consumer(id) != nullptr ? ProducerOf(site, id) : nullptr;
}

// The operand that is multiplied by a constant, and the constant.
std::optional<std::pair<ir::ValueId, float>> ScaledOperand(const Site& site, const ir::Node& node) {
  for (size_t i = 0; i < 2 && IsBinary(node, BinaryKind::Mul); ++i) {
    const auto factor = ScalarOf(site.graph.value(node.inputs[1 - i]));
    if (factor) return std::make_pair(node.inputs[i], *factor);
  }
  if (!IsBinary(node, BinaryKind::Div)) return std::nullopt;
  const auto divisor = ScalarOf(site.graph.value(node.inputs[1]));
  return divisor ? std::make_optional(std::make_pair(node.inputs[0], 1 / *divisor)) : std::nullopt;
}

// A mask must have whole rows: the last dimension is that of the scores. It may broadcast to them, not they
// to it.
bool IsMask(const Site& site, ir::ValueId id, const ir::Value& scores) {
  const ir::Value& mask = site.graph.value(id);
  if (mask.dtype != DType::kFloat32 || !mask.has_shape || mask.shape.empty()) return false;
  if (mask.rank() > scores.rank() || mask.shape.back() != scores.shape.back()) return false;
  const auto name = [](const ir::Value& v) {
    return v.dim_names.empty() ? std::string() : v.dim_names.back();
  };
  return mask.shape.back() != ir::kDynamic || name(mask) == name(scores);
}

// The product of q and k, scaled by constants.
bool FindScaledProduct(const Site& site, ir::ValueId id, Scores* scores) {
  const ir::Node* node = OnlyForOne(site, id);
  while (node != nullptr) {
    const auto scaled = ScaledOperand(site, *node);
    if (!scaled) break;
    scores->scale *= scaled->second;
    node = OnlyForOne(site, scaled->first);
  }
  if (node == nullptr || !IsPlainProduct(site, *node, true)) return false;
  scores->q = node->inputs[0];
  scores->k = node->inputs[1];
  return true;
}

// The product within softcap * tanh(). Decoders have that; other graphs stay what all builds can run.
bool FindCappedProduct(const Site& site, ir::ValueId id, Scores* scores) {
  const ir::Node* const product = KeepsCaches(site.graph) ? OnlyForOne(site, id) : nullptr;
  const auto scaled = product == nullptr ? std::nullopt : ScaledOperand(site, *product);
  if (!scaled || !(scaled->second > 0)) return false;
  const ir::Node* const tanh = OnlyForOne(site, scaled->first);
  if (tanh == nullptr || !IsUnary(*tanh, schema::UnaryKind::Tanh) ||
      !FindScaledProduct(site, tanh->inputs[0], scores))
    return false;
  scores->softcap = scaled->second;
  scores->scale *= scaled->second;  // of what the operator divides by it
  return true;
}

// At most `masks` of them are added.
bool FindScores(const Site& site, ir::ValueId id, Scores* scores, int masks = 2) {
  if (FindScaledProduct(site, id, scores)) return true;
  Scores capped;
  if (FindCappedProduct(site, id, &capped)) {
    *scores = std::move(capped);
    return true;
  }
  const ir::Node* sum = OnlyForOne(site, id);
  if (sum == nullptr || !IsBinary(*sum, BinaryKind::Add) || masks == 0) return false;
  for (size_t i = 0; i < 2; ++i) {
    Scores inner;
    const ir::ValueId mask = sum->inputs[1 - i];
    const ir::Value &masked = site.graph.value(id), &unmasked = site.graph.value(sum->inputs[i]);
    const bool widens = masked.shape != unmasked.shape || masked.dim_names != unmasked.dim_names;
    if (widens || !IsMask(site, mask, masked) || !FindScores(site, sum->inputs[i], &inner, masks - 1))
      continue;
    *scores = std::move(inner);
    scores->masks.push_back(mask);
    return true;
  }
  return false;
}

ir::ValueId SumOf(const Site& site, const std::vector<ir::ValueId>& masks) {
  ir::ValueId sum = masks[0];
  for (size_t i = 1; i < masks.size(); ++i) sum = site.Build().Add(sum, masks[i]);
  return sum;
}

// Whether both have as many dimensions and agree in all but the last two.
bool SameHeads(const Site& site, ir::ValueId a, ir::ValueId b) {
  ir::Value values[] = {site.graph.value(a), site.graph.value(b)};
  if (!values[0].has_shape || !values[1].has_shape || values[0].rank() != values[1].rank()) return false;
  for (ir::Value& value : values) {
    value.shape.resize(value.shape.size() - 2);
    if (!value.dim_names.empty()) value.dim_names.resize(value.shape.size());
  }
  return SameShape(values[0], values[1]);
}

// Takes a constant factor off a value that only attention reads, also from before nodes that only move its
// elements.
float TakeFactor(const Site& site, ir::ValueId* id) {
  ir::ValueId* reader = id;
  std::vector<ir::ValueId> passed;
  for (ir::Node* node = OnlyForOne(site, *id); node != nullptr; node = OnlyForOne(site, *reader)) {
    if (const auto scaled = ScaledOperand(site, *node); scaled) {
      *reader = scaled->first;
      for (const ir::ValueId value : passed) site.graph.value(value).in_source = false;
      return scaled->second;
    }
    if (node->inputs.size() != 1 || (node->code != OpCode::Transpose && node->code != OpCode::Reshape)) break;
    passed.push_back(node->outputs[0]);
    reader = &node->inputs[0];
  }
  return 1;
}

// [H,T,D] → [1,H,T,D]
ir::ValueId WithBatch(const Site& site, ir::ValueId x) {
  return site.graph.value(x).rank() == 4 ? x : site.Build().Reshape(x, {1, -2, -3, -4});
}

bool BecomeAttention(const Site& site) {
  ir::Node& node = site.node;
  if (!IsPlainProduct(site, node, false) || site.output().dtype != DType::kFloat32) return false;
  const int rank = site.output().rank();
  const ir::Node* softmax = OnlyForOne(site, node.inputs[0]);
  if ((rank != 3 && rank != 4) || softmax == nullptr || softmax->code != OpCode::Softmax) return false;
  const auto& options = softmax->as<schema::SoftmaxOptionsT>();
  Scores scores;
  if (options.log || options.axis != rank - 1 || !FindScores(site, softmax->inputs[0], &scores)) return false;
  ir::ValueId v = node.inputs[1];
  if (!SameHeads(site, scores.q, scores.k) || !SameHeads(site, scores.q, v)) return false;

  schema::AttentionOptionsT attention;
  attention.scale = scores.scale * TakeFactor(site, &scores.q);
  attention.scale *= TakeFactor(site, &scores.k);
  attention.softcap = scores.softcap;
  attention.query_by_head = attention.key_by_head = attention.value_by_head = attention.output_by_head = true;
  std::vector<ir::ValueId> inputs = {WithBatch(site, scores.q), WithBatch(site, scores.k),
                                     WithBatch(site, v)};
  if (!scores.masks.empty()) inputs.push_back(SumOf(site, scores.masks));
  if (rank == 4) {
    node.code = OpCode::Attention;
    node.options.Set(std::move(attention));
    node.inputs = std::move(inputs);
    return true;
  }
  const ir::ValueId y = site.Build().Add(std::move(attention), std::move(inputs), DType::kFloat32);
  schema::ReshapeOptionsT without_batch;
  without_batch.shape = {-3, -4, -5};
  node.code = OpCode::Reshape;
  node.options.Set(std::move(without_batch));
  node.inputs = {y};
  return true;
}

}  // namespace

Status RecognizeAttention(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {OpCode::MatMul}, BecomeAttention);
  return Status();
}

}  // namespace micrort::passes
