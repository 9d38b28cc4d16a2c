// Rows of a table, added up bag by bag.

#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

using schema::ReduceKind;

// Where bags begin, and where the last one ends; empty if a run decides.
std::vector<int64_t> BoundsOf(OpContext& c, int64_t total) {
  std::vector<int64_t> bounds;
  if (!ir::IntegersOf(c.value(c.TensorAt(2)), &bounds)) {
    c.Fail(MICRORT_ERROR(kUnsupported, "bags whose sizes a run decides"));
    return {};
  }
  if (!c.Bool(7, false)) bounds.push_back(total);
  for (size_t i = 0; i + 1 < bounds.size(); ++i) {
    if (bounds[i] < 0 || bounds[i] > bounds[i + 1] || bounds[i + 1] > total)
      c.Fail(MICRORT_ERROR(kInvalidModel, "a bag from %lld to %lld of %lld",
                           static_cast<long long>(bounds[i]), static_cast<long long>(bounds[i + 1]),
                           static_cast<long long>(total)));
  }
  return bounds;
}

// One bag of [n, D].
ir::ValueId Reduced(OpContext& c, ir::ValueId rows, int64_t begin, int64_t end) {
  static constexpr ReduceKind kKinds[] = {ReduceKind::Sum, ReduceKind::Mean, ReduceKind::Max};
  if (begin == end) return c.Filled(c.dtype(rows), Value::Ints({1, c.FixedDim(rows, 1)}), 0);
  return c.build.Reduce(kKinds[c.Int(4, 0)], c.build.Slice(rows, 0, begin, end), {0}, true);
}

// (weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset,
// padding_idx): the first of four results
void ImportEmbeddingBag(OpContext& c) {
  const ir::ValueId table = c.TensorAt(0), index = c.IndicesAt(1);
  const int64_t mode = c.Int(4, 0), total = c.FixedDim(index, 0);
  if (mode < 0 || mode > 2 || c.Int(8, -1) >= 0)
    return c.Fail(MICRORT_ERROR(kUnsupported, "mode %lld, padding_idx", static_cast<long long>(mode)));
  ir::ValueId rows = c.build.Gather(table, index, 0);
  if (c.Has(6)) rows = c.Onnx("Mul", {rows, c.build.Reshape(c.TensorAt(6), {ir::kInferDim, 1})});
  const std::vector<int64_t> bounds = BoundsOf(c, total);
  std::vector<ir::ValueId> bags;
  for (size_t i = 0; c.status().ok() && i + 1 < bounds.size(); ++i)
    bags.push_back(Reduced(c, rows, bounds[i], bounds[i + 1]));
  if (bags.empty()) return c.Fail(MICRORT_ERROR(kUnsupported, "no bags"));
  c.Return(bags.size() == 1 ? bags[0] : c.build.Concat(bags, 0));
  const Value none = Value::Of(Kind::kUnreachable);
  c.ReturnValue(Value::Sequence(Kind::kTuple, {c.result(), none, none, none}));
}

}  // namespace

Span<const OpImporter> EmbeddingBagOps() {
  static constexpr OpImporter kOps[] = {
      {"embedding_bag",
       "weight indices offsets scale_grad_by_freq mode sparse per_sample_weights include_last_offset "
       "padding_idx",
       ImportEmbeddingBag, "bags whose sizes a run decides; padding_idx"},
  };
  return kOps;
}

}  // namespace micrort::frontend::torchscript
