#include "converter/frontend/onnx/ops/tree_nodes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace micrort::frontend::onnx {

namespace {

constexpr size_t kMaxTreeNodes = size_t{1} << 24;
constexpr int kMaxTreeDepth = 256;  // each level becomes some operators
constexpr int kModes = static_cast<int>(BranchMode::kLeaf);

using NodeKey = std::pair<int64_t, int64_t>;  // tree, node

Result<BranchMode> ReadMode(const std::string& name) {
  static constexpr const char* kNames[] = {"BRANCH_LEQ", "BRANCH_LT",  "BRANCH_GTE", "BRANCH_GT",
                                           "BRANCH_EQ",  "BRANCH_NEQ", "LEAF"};
  const auto* found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found == std::end(kNames)) return Unsupported("a node of mode '{}'", name);
  return static_cast<BranchMode>(found - std::begin(kNames));
}

Status CheckSameSize(const char* name, size_t found, size_t expected) {
  if (found == expected) return Status();
  return Invalid("{} has {} elements: expected one for each of {} nodes", name, found, expected);
}

// The nodes as the attributes list them, by tree and number.
class NodeIndex {
 public:
  using Entry = std::pair<NodeKey, int32_t>;

  Status Fill(NodeContext& c);
  // -1 if there is none.
  int32_t Find(const NodeKey& key) const {
    const auto found = std::lower_bound(entries_.begin(), entries_.end(), Entry(key, INT32_MIN));
    return found == entries_.end() || found->first != key ? -1 : found->second;
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;  // sorted
};

Status NodeIndex::Fill(NodeContext& c) {
  const std::vector<int64_t> trees = c.Ints("nodes_treeids"), nodes = c.Ints("nodes_nodeids");
  MICRORT_RETURN_IF_ERROR(CheckSameSize("nodes_treeids", trees.size(), nodes.size()));
  if (nodes.empty()) return Invalid("there are no nodes");
  if (nodes.size() > kMaxTreeNodes) return Unsupported("{} nodes", nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i)
    entries_.emplace_back(NodeKey(trees[i], nodes[i]), static_cast<int32_t>(i));
  std::sort(entries_.begin(), entries_.end());
  const auto is_same = [](const Entry& a, const Entry& b) { return a.first == b.first; };
  const auto twice = std::adjacent_find(entries_.begin(), entries_.end(), is_same);
  if (twice == entries_.end()) return Status();
  return Invalid("tree {} has two nodes {}", twice->first.first, twice->first.second);
}

Status ReadTests(NodeContext& c, TreeNodes* out) {
  const std::vector<std::string> modes = c.Strings("nodes_modes");
  const std::vector<int64_t> features = c.Ints("nodes_featureids");
  out->thresholds = c.Floats("nodes_values");
  c.Ignore({"nodes_hitrates"});
  const size_t count = out->if_true.size();
  MICRORT_RETURN_IF_ERROR(CheckSameSize("nodes_modes", modes.size(), count));
  MICRORT_RETURN_IF_ERROR(CheckSameSize("nodes_featureids", features.size(), count));
  MICRORT_RETURN_IF_ERROR(CheckSameSize("nodes_values", out->thresholds.size(), count));
  out->modes.resize(count);
  for (size_t i = 0; i < count; ++i) {
    MICRORT_ASSIGN_OR_RETURN(out->modes[i], ReadMode(modes[i]));
    const bool is_leaf = out->modes[i] == BranchMode::kLeaf;
    if (!is_leaf && (features[i] < 0 || features[i] > INT32_MAX)) return Invalid("feature {}", features[i]);
    out->features.push_back(is_leaf ? 0 : static_cast<int32_t>(features[i]));
  }
  const std::vector<int64_t> missing = c.Ints("nodes_missing_value_tracks_true");
  if (!missing.empty())
    MICRORT_RETURN_IF_ERROR(CheckSameSize("nodes_missing_value_tracks_true", missing.size(), count));
  for (const int64_t tracks_true : missing) out->missing_is_true.push_back(tracks_true != 0 ? 1 : 0);
  return Status();
}

Status ReadChildren(NodeContext& c, const NodeIndex& index, const char* name, const TreeNodes& trees,
                    std::vector<int32_t>* out) {
  const std::vector<int64_t> children = c.Ints(name);
  MICRORT_RETURN_IF_ERROR(CheckSameSize(name, children.size(), trees.count()));
  for (const auto& [key, i] : index.entries()) {
    const auto at = static_cast<size_t>(i);
    (*out)[at] = i;
    if (trees.modes[at] == BranchMode::kLeaf) continue;
    const int32_t child = index.Find({key.first, children[at]});
    if (child < 0) return Invalid("{}: tree {} has no node {}", name, key.first, children[at]);
    (*out)[at] = child;
  }
  return Status();
}

// Finds the root of each tree, and how deep they are.
Status WalkTrees(const NodeIndex& index, TreeNodes* trees) {
  std::vector<uint8_t> is_child(trees->count());
  for (size_t i = 0; i < trees->count(); ++i) {
    if (trees->modes[i] == BranchMode::kLeaf) continue;
    for (const int32_t child : {trees->if_true[i], trees->if_false[i]}) {
      uint8_t& seen = is_child[static_cast<size_t>(child)];
      if (seen != 0) return Invalid("node {} of the list follows two others", child);
      seen = 1;
    }
  }
  trees->tree_of.resize(trees->count());
  std::optional<int64_t> latest;
  for (const auto& [key, i] : index.entries()) {
    if (is_child[static_cast<size_t>(i)] == 0) {
      if (latest == key.first) return Invalid("tree {} has two roots", key.first);
      latest = key.first;
      trees->roots.push_back(i);
    }
  }
  size_t reached = 0;
  std::vector<int32_t> level = trees->roots, next;
  for (size_t t = 0; t < trees->roots.size(); ++t)
    trees->tree_of[static_cast<size_t>(trees->roots[t])] = static_cast<int32_t>(t);
  for (; !level.empty(); level.swap(next), next.clear()) {
    reached += level.size();
    for (const int32_t i : level) {
      const auto at = static_cast<size_t>(i);
      if (trees->modes[at] == BranchMode::kLeaf) continue;
      for (const int32_t child : {trees->if_true[at], trees->if_false[at]}) {
        trees->tree_of[static_cast<size_t>(child)] = trees->tree_of[at];
        next.push_back(child);
      }
    }
    if (next.empty()) break;
    if (++trees->depth > kMaxTreeDepth) return Unsupported("trees of more than {} levels", kMaxTreeDepth);
  }
  // Nodes in a circle follow each other, and no root leads to them.
  return reached == trees->count() ? Status() : Invalid("nodes that no root leads to");
}

// Where each of the trees is: `constants` of the nodes `at`, or of the roots at first.
class Walk {
 public:
  Walk(NodeContext& c, const TreeNodes& trees, ir::ValueId rows) : b_(c.build), trees_(trees), rows_(rows) {}

  ir::ValueId Run() {
    features_ = Table(trees_.features);
    thresholds_ = b_.As(Table(trees_.thresholds), b_.graph().value(rows_).dtype);
    if_true_ = Table(trees_.if_true);
    if_false_ = Table(trees_.if_false);
    at_ = Table(trees_.roots);
    for (int level = 0; level < trees_.depth && b_.status().ok(); ++level) {
      const ir::ValueId feature = b_.Gather(features_, at_, 0);
      // At the roots all rows ask for the same features.
      const ir::ValueId x =
          level == 0 ? b_.Gather(rows_, feature, 1) : b_.GatherElements({rows_, feature}, 1);
      const ir::ValueId holds = Compare(x);
      at_ = b_.Select({holds, b_.Gather(if_true_, at_, 0), b_.Gather(if_false_, at_, 0)});
    }
    return at_;
  }

 private:
  template <typename T>
  ir::ValueId Table(const std::vector<T>& elements) {
    return b_.Constant({static_cast<int64_t>(elements.size())}, elements);
  }
  ir::ValueId Flags(const std::vector<uint8_t>& flags) { return b_.Cast(Table(flags), DType::kBool); }

  ir::ValueId Holds(BranchMode mode, ir::ValueId x, ir::ValueId threshold) {
    switch (mode) {
      case BranchMode::kLess:
        return b_.Less(x, threshold);
      case BranchMode::kGreaterOrEqual:
        return b_.GreaterOrEqual(x, threshold);
      case BranchMode::kGreater:
        return b_.Greater(x, threshold);
      case BranchMode::kEqual:
        return b_.Equal(x, threshold);
      case BranchMode::kNotEqual:
        return b_.Not(b_.Equal(x, threshold));
      default:
        return b_.LessOrEqual(x, threshold);
    }
  }

  // Most ensembles compare in one way; of others, each node knows its own.
  ir::ValueId Compare(ir::ValueId x) {
    const ir::ValueId threshold = b_.Gather(thresholds_, at_, 0);
    ir::ValueId holds = ir::kNoValue;
    for (int k = 0; k < kModes; ++k) {
      const auto mode = static_cast<BranchMode>(k);
      const auto is_own = [mode](BranchMode own) { return own == mode; };
      if (std::none_of(trees_.modes.begin(), trees_.modes.end(), is_own)) continue;
      const ir::ValueId by_mode = Holds(mode, x, threshold);
      if (holds == ir::kNoValue) {
        holds = by_mode;
        continue;
      }
      ir::ValueId& has_mode = has_mode_[static_cast<size_t>(k)];
      if (has_mode == ir::kNoValue) {
        std::vector<uint8_t> flags;
        for (const BranchMode own : trees_.modes) flags.push_back(is_own(own) ? 1 : 0);
        has_mode = Flags(flags);
      }
      holds = b_.Select({b_.Gather(has_mode, at_, 0), by_mode, holds});
    }
    return WithMissing(x, holds);
  }

  ir::ValueId WithMissing(ir::ValueId x, ir::ValueId holds) {
    const auto& flags = trees_.missing_is_true;
    if (std::find(flags.begin(), flags.end(), 1) == flags.end()) return holds;
    if (missing_is_true_ == ir::kNoValue) missing_is_true_ = Flags(flags);
    return b_.Or(holds, b_.And(b_.IsNaN(x), b_.Gather(missing_is_true_, at_, 0)));
  }

  ir::Builder& b_;
  const TreeNodes& trees_;
  const ir::ValueId rows_;
  ir::ValueId features_ = ir::kNoValue, thresholds_ = ir::kNoValue, if_true_ = ir::kNoValue,
              if_false_ = ir::kNoValue, missing_is_true_ = ir::kNoValue, at_ = ir::kNoValue;
  std::array<ir::ValueId, kModes> has_mode_ = {ir::kNoValue, ir::kNoValue, ir::kNoValue,
                                               ir::kNoValue, ir::kNoValue, ir::kNoValue};
};

}  // namespace

Status ReadTreeNodes(NodeContext& c, TreeNodes* out) {
  NodeIndex index;
  MICRORT_RETURN_IF_ERROR(index.Fill(c));
  out->if_true.resize(index.entries().size());
  out->if_false.resize(index.entries().size());
  MICRORT_RETURN_IF_ERROR(ReadTests(c, out));
  MICRORT_RETURN_IF_ERROR(ReadChildren(c, index, "nodes_truenodeids", *out, &out->if_true));
  MICRORT_RETURN_IF_ERROR(ReadChildren(c, index, "nodes_falsenodeids", *out, &out->if_false));
  return WalkTrees(index, out);
}

Status ReadLeafWeights(NodeContext& c, const std::string& prefix, int64_t targets,
                       std::vector<LeafWeight>* out) {
  const auto ints = [&](const char* name) { return c.Ints((prefix + name).c_str()); };
  const std::vector<int64_t> trees = ints("_treeids"), nodes = ints("_nodeids"), ids = ints("_ids");
  const std::vector<float> weights = c.Floats((prefix + "_weights").c_str());
  if (trees.size() != weights.size() || nodes.size() != weights.size() || ids.size() != weights.size())
    return Invalid("{} weights of {} trees, {} nodes and {} targets", weights.size(), trees.size(),
                   nodes.size(), ids.size());
  NodeIndex index;
  MICRORT_RETURN_IF_ERROR(index.Fill(c));
  for (size_t i = 0; i < weights.size(); ++i) {
    const int32_t node = index.Find({trees[i], nodes[i]});
    if (node < 0) return Invalid("tree {} has no node {}", trees[i], nodes[i]);
    if (ids[i] < 0 || ids[i] >= targets) return Invalid("target {} of {}", ids[i], targets);
    out->push_back({node, static_cast<int32_t>(ids[i]), weights[i]});
  }
  return out->empty() ? Invalid("no leaf has a weight") : Status();
}

ir::ValueId LeavesOf(NodeContext& c, const TreeNodes& trees, ir::ValueId rows) {
  const ir::ValueId leaves = Walk(c, trees, rows).Run();
  if (trees.depth > 0) return leaves;
  // Trees of a leaf alone look at no row.
  const auto count = static_cast<int64_t>(trees.roots.size());
  return c.build.Expand({leaves, c.build.Concat({c.build.DimOf(rows, 0), c.build.Integers({count})}, 0)});
}

}  // namespace micrort::frontend::onnx
