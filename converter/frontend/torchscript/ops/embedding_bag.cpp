// Rows of a table, added up bag by bag.

#include <limits>
#include <numeric>

#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

using schema::ReduceKind;

// Where bags begin, and where the last one ends.
std::vector<int64_t> BoundsOf(OpContext& c, std::vector<int64_t> bounds, int64_t total) {
  if (!c.Bool(7, false)) bounds.push_back(total);
  for (size_t i = 0; i + 1 < bounds.size(); ++i) {
    if (bounds[i] < 0 || bounds[i] > bounds[i + 1] || bounds[i + 1] > total)
      c.Fail(Invalid("a bag from {} to {} of {}", bounds[i], bounds[i + 1], total));
  }
  return bounds;
}

// One bag of [n, D].
ir::ValueId Reduced(OpContext& c, ir::ValueId rows, int64_t begin, int64_t end) {
  static constexpr ReduceKind kKinds[] = {ReduceKind::Sum, ReduceKind::Mean, ReduceKind::Max};
  if (begin == end) return c.Filled(c.dtype(rows), Value::Ints({1, c.FixedDim(rows, 1)}), 0);
  return c.build.Reduce(kKinds[c.Int(4, 0)], c.build.Slice(rows, 0, begin, end), {0}, true);
}

constexpr int64_t kMaxRows = 1 << 20;  // of bags that a run decides

std::vector<int64_t> Numbers(int64_t count) {
  std::vector<int64_t> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

// How many bags have begun at each row, [n, 1]; a run decides where bags begin.
ir::ValueId BagsBegun(OpContext& c, int64_t total, int64_t* bags) {
  ir::ValueId starts = c.CastTo(c.TensorAt(2), DType::kInt64);
  if (c.Bool(7, false)) starts = c.build.Slice(starts, 0, 0, -1);
  *bags = c.FixedDim(starts, 0);
  if (*bags > kMaxRows || total > kMaxRows) c.Fail(Unsupported("{} bags of {} rows", *bags, total));
  if (!c.status().ok()) return starts;
  const ir::ValueId has_begun =
      c.build.LessOrEqual(c.build.Reshape(starts, {ir::kInferDim, 1}), c.build.Integers(Numbers(total)));
  const ir::ValueId begun =
      c.build.Reduce(ReduceKind::Sum, c.build.Cast(has_begun, DType::kInt64), {0}, false);
  return c.build.Reshape(begun, {ir::kInferDim, 1});
}

// [n]: whether the row is another one than that of padding, which is in no bag.
ir::ValueId IsNoPadding(OpContext& c, ir::ValueId table, ir::ValueId index) {
  const int64_t given = c.Int(8, 0), row = given < 0 ? given + c.FixedDim(table, 0) : given;
  return c.build.Not(c.Onnx("Equal", {c.CastTo(index, DType::kInt64), c.build.Integers({row})}));
}

// Bags of rows [n, D], all at once; `counts` says which rows do, and may be none. Rows are scattered to their
// bags, so that an infinite one is seen in no other.
ir::ValueId ReducedAtRun(OpContext& c, ir::ValueId rows, int64_t mode, int64_t total, ir::ValueId counts) {
  int64_t bags = 0;
  const ir::ValueId begun = BagsBegun(c, total, &bags);
  const DType dtype = c.dtype(rows);
  if (!c.status().ok()) return rows;
  const ir::ValueId none = c.build.Integers({0}), one = c.build.Integers({1});
  ir::ValueId member = c.build.Greater(begun, none);
  if (counts != ir::kNoValue) member = c.build.And(member, c.build.Reshape(counts, {ir::kInferDim, 1}));
  const ir::ValueId bag = c.build.Max(c.build.Sub(begun, one), none);
  const auto scattered = [&](double neutral, ir::ValueId x, schema::ScatterReduction how) {
    const ir::ValueId empty = c.Filled(dtype, Value::Ints({bags, c.FixedDim(x, 1)}), neutral);
    return c.build.ScatterND({empty, bag, c.build.Select({member, x, c.Scalar(dtype, neutral)})}, how);
  };
  if (mode == 0) return scattered(0, rows, schema::ScatterReduction::Add);
  const ir::ValueId count = scattered(0, c.CastTo(member, dtype), schema::ScatterReduction::Add);
  if (mode == 1) {
    const ir::ValueId at_least_one = c.build.Max(count, c.Scalar(dtype, 1));
    return c.build.Div(scattered(0, rows, schema::ScatterReduction::Add), at_least_one);
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const ir::ValueId largest = scattered(-kInfinity, rows, schema::ScatterReduction::Max);
  return c.build.Select({c.CastTo(count, DType::kBool), largest, c.Scalar(dtype, 0)});
}

// (weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset,
// padding_idx): the first of four results
void ImportEmbeddingBag(OpContext& c) {
  const ir::ValueId table = c.TensorAt(0), index = c.IndicesAt(1);
  const int64_t mode = c.Int(4, 0), total = c.FixedDim(index, 0);
  if (mode < 0 || mode > 2) return c.Fail(Invalid("mode {}", mode));
  ir::ValueId rows = c.build.Gather(table, index, 0);
  if (c.Has(6)) rows = c.build.Mul(rows, c.build.Reshape(c.TensorAt(6), {ir::kInferDim, 1}));
  std::vector<int64_t> starts;
  if (!c.Has(8) && ir::IntegersOf(c.value(c.TensorAt(2)), &starts)) {
    const std::vector<int64_t> bounds = BoundsOf(c, std::move(starts), total);
    std::vector<ir::ValueId> bags;
    for (size_t i = 0; c.status().ok() && i + 1 < bounds.size(); ++i)
      bags.push_back(Reduced(c, rows, bounds[i], bounds[i + 1]));
    if (bags.empty()) return c.Fail(Unsupported("no bags"));
    c.Return(bags.size() == 1 ? bags[0] : c.build.Concat(bags, 0));
  } else {
    c.Return(ReducedAtRun(c, rows, mode, total, c.Has(8) ? IsNoPadding(c, table, index) : ir::kNoValue));
  }
  const Value none = Value::Of(Kind::kUnreachable);
  c.ReturnValue(Value::Sequence(Kind::kTuple, {c.result(), none, none, none}));
}

}  // namespace

const ImporterList EmbeddingBagOps = {
    {"embedding_bag",
     "weight indices offsets scale_grad_by_freq mode sparse per_sample_weights include_last_offset "
     "padding_idx",
     ImportEmbeddingBag},
};

}  // namespace micrort::frontend::torchscript
