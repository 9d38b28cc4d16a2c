// Ensembles of decision trees of ai.onnx.ml. All rows walk down all trees at once, a few operators a level;
// then the weights of the leaves are added up.

#include <algorithm>
#include <set>

#include "converter/frontend/onnx/ops/ml_scores.h"
#include "converter/frontend/onnx/ops/tree_nodes.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

using schema::ReduceKind;

// Weights of all nodes, [nodes, targets], or [nodes] of one target.
std::vector<float> TableOf(const std::vector<LeafWeight>& weights, size_t nodes, int64_t targets) {
  std::vector<float> table(nodes * static_cast<size_t>(targets));
  for (const LeafWeight& w : weights)
    table[static_cast<size_t>(w.node) * static_cast<size_t>(targets) + static_cast<size_t>(w.target)] +=
        w.weight;
  return table;
}

// Boosting makes trees that each add to one target, as many for each. These are put in the order of targets.
bool SortByTarget(const std::vector<LeafWeight>& weights, int64_t targets, TreeNodes* trees) {
  if (static_cast<uint64_t>(targets) > trees->roots.size()) return false;
  std::vector<int32_t> target_of(trees->roots.size(), -1);
  for (const LeafWeight& w : weights) {
    int32_t& target = target_of[static_cast<size_t>(trees->tree_of[static_cast<size_t>(w.node)])];
    if (target >= 0 && target != w.target) return false;
    target = w.target;
  }
  std::vector<std::vector<int32_t>> roots(static_cast<size_t>(targets));
  for (size_t t = 0; t < target_of.size(); ++t)
    roots[static_cast<size_t>(std::max(target_of[t], 0))].push_back(trees->roots[t]);
  const auto has_other_size = [&](const auto& of_target) { return of_target.size() != roots[0].size(); };
  if (std::any_of(roots.begin(), roots.end(), has_other_size)) return false;
  trees->roots.clear();
  for (const auto& of_target : roots)
    trees->roots.insert(trees->roots.end(), of_target.begin(), of_target.end());
  return true;
}

// Scores [rows, targets]; `how` is Sum, or Min or Max of one target.
Result<ir::ValueId> Aggregate(NodeContext& c, TreeNodes trees, const std::vector<LeafWeight>& weights,
                              int64_t targets, ReduceKind how) {
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId rows, ReadRows(c));
  // Thresholds are float32, but features of float64 are compared as they are.
  if (c.x().dtype != DType::kFloat64) rows = c.build.As(rows, DType::kFloat32);
  const auto nodes = static_cast<int64_t>(trees.count());
  if (targets > 1 && how != ReduceKind::Sum)
    return Unsupported("the least or largest of {} targets", targets);
  if (targets > ir::kMaxMade / nodes) return Unsupported("{} leaves of {} targets", nodes, targets);
  const bool is_sorted = targets > 1 && SortByTarget(weights, targets, &trees);
  const ir::ValueId leaves = LeavesOf(c, trees, rows);
  ir::Builder& b = c.build;
  if (targets > 1 && !is_sorted) {
    const ir::ValueId table = b.Constant({nodes, targets}, TableOf(weights, trees.count(), targets));
    return b.Checked(b.Reduce(how, b.Gather(table, leaves, 0), {1}, false));
  }
  std::vector<LeafWeight> of_one = weights;
  for (LeafWeight& w : of_one) w.target = 0;
  ir::ValueId y = b.Gather(b.Constant({nodes}, TableOf(of_one, trees.count(), 1)), leaves, 0);
  if (!is_sorted) {
    return b.Checked(b.Reduce(how, y, {1}, true));
  }
  const auto count = static_cast<int32_t>(trees.roots.size() / static_cast<size_t>(targets));
  y = b.Reshape(y, {ir::CopyDim(0), static_cast<int32_t>(targets), count});
  return b.Checked(b.Reduce(how, y, {2}, false));
}

Status ReadAggregation(NodeContext& c, ReduceKind* kind, bool* is_mean) {
  const std::string name = c.String("aggregate_function", "SUM");
  *is_mean = name == "AVERAGE";
  *kind = name == "MIN" ? ReduceKind::Min : name == "MAX" ? ReduceKind::Max : ReduceKind::Sum;
  const bool is_known = *is_mean || *kind != ReduceKind::Sum || name == "SUM";
  return is_known ? Status() : Unsupported("aggregate_function {}", name);
}

ir::ValueId WithBase(NodeContext& c, ir::ValueId scores, const std::vector<float>& base) {
  if (base.empty()) return scores;
  return c.build.Add(scores, c.build.Constant({static_cast<int64_t>(base.size())}, base));
}

Status ImportTreeEnsembleRegressor(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(PostTransform transform, ReadPostTransform(c));
  ReduceKind how = ReduceKind::Sum;
  bool is_mean = false;
  MICRORT_RETURN_IF_ERROR(ReadAggregation(c, &how, &is_mean));
  const int64_t targets = c.Int("n_targets", 1);
  if (targets < 1) return Invalid("n_targets: {}", targets);
  TreeNodes trees;
  MICRORT_RETURN_IF_ERROR(ReadTreeNodes(c, &trees));
  std::vector<LeafWeight> weights;
  MICRORT_RETURN_IF_ERROR(ReadLeafWeights(c, "target", targets, &weights));
  const std::vector<float> base = c.Floats("base_values");
  if (!base.empty() && static_cast<int64_t>(base.size()) != targets)
    return Invalid("{} base_values of {} targets", base.size(), targets);
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId scores, Aggregate(c, trees, weights, targets, how));
  if (is_mean) scores = c.build.Div(scores, c.build.Scalar(static_cast<double>(trees.roots.size())));
  return c.Return(Transform(c, WithBase(c, scores, base), transform));
}

Status ImportTreeEnsembleClassifier(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(PostTransform transform, ReadPostTransform(c));
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> labels,
                           ReadLabels(c, "classlabels_int64s", "classlabels_strings"));
  const auto classes = static_cast<int64_t>(labels.size());
  TreeNodes trees;
  MICRORT_RETURN_IF_ERROR(ReadTreeNodes(c, &trees));
  std::vector<LeafWeight> weights;
  MICRORT_RETURN_IF_ERROR(ReadLeafWeights(c, "class", classes, &weights));
  const std::vector<float> base = c.Floats("base_values");
  std::set<int32_t> ids;
  for (const LeafWeight& w : weights) ids.insert(w.target);
  const bool is_binary = classes == 2 && ids == std::set<int32_t>{0};
  if (classes < 2 || (classes == 2 && ids == std::set<int32_t>{1}))
    return Unsupported("{} classes of which the weights are those of one", classes);
  const bool takes_base = base.empty() || (is_binary ? base.size() == 1 : classes > 2);
  if (!takes_base) return Unsupported("{} classes with {} base_values", classes, base.size());
  if (classes > 2 && !base.empty() && base.size() != labels.size())
    return Invalid("{} base_values of {} classes", base.size(), classes);
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId scores,
                           Aggregate(c, trees, weights, is_binary ? 1 : classes, ReduceKind::Sum));
  scores = WithBase(c, scores, base);
  if (!is_binary) return ReturnClasses(c, scores, labels, transform);
  // The weights of one of two classes are probabilities if none is negative, else logits.
  const bool is_share =
      std::none_of(weights.begin(), weights.end(), [](const LeafWeight& w) { return w.weight < 0; });
  return ReturnTwoClasses(c, {scores, is_share ? 0.5 : 0, is_share}, labels, transform);
}

}  // namespace

const ImporterList TreeEnsembleImporters = {
    {"ai.onnx.ml.TreeEnsembleClassifier", 1, 1, ImportTreeEnsembleClassifier,
     Types(kMlTypes).Without(
         "labels that are names: these become their places; values in tensors of float64; "
         "post_transform PROBIT; two classes with two base values")},
    {"ai.onnx.ml.TreeEnsembleRegressor", 1, 1, ImportTreeEnsembleRegressor,
     Types(kMlTypes).Without(
         "values in tensors of float64; post_transform PROBIT; the least or largest of several "
         "targets")},
};

}  // namespace micrort::frontend::onnx
