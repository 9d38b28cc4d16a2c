#pragma once
// Decision trees of ai.onnx.ml, as arrays over the nodes of all trees.

#include <string>
#include <vector>

#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

enum class BranchMode : uint8_t { kLessOrEqual, kLess, kGreaterOrEqual, kGreater, kEqual, kNotEqual, kLeaf };

struct TreeNodes {
  std::vector<int32_t> features;
  std::vector<float> thresholds;
  std::vector<BranchMode> modes;
  // Where to go if the comparison holds, and if not. A leaf goes to itself.
  std::vector<int32_t> if_true, if_false;
  std::vector<uint8_t> missing_is_true;  // whether NaN counts as true
  std::vector<int32_t> roots;            // of each tree
  std::vector<int32_t> tree_of;          // of each node, an index of `roots`
  int depth = 0;                         // the most comparisons on the way to a leaf

  size_t count() const { return features.size(); }
};

// A leaf adds this to the score of a target. Weights of nodes that are no leaves add nothing.
struct LeafWeight {
  int32_t node, target;
  float weight;
};

// Attributes nodes_*. kInvalidModel unless each node of a tree is reached on exactly one way.
Status ReadTreeNodes(NodeContext& c, TreeNodes* out);
// Attributes PREFIX_treeids, PREFIX_nodeids, PREFIX_ids and PREFIX_weights. After ReadTreeNodes.
Status ReadLeafWeights(NodeContext& c, const std::string& prefix, int64_t targets,
                       std::vector<LeafWeight>* out);
// The leaf that each row, float32 or float64 [rows, features], comes to in each tree, [rows, trees].
ir::ValueId LeavesOf(NodeContext& c, const TreeNodes& trees, ir::ValueId rows);

}  // namespace micrort::frontend::onnx
