#pragma once
// Which dimensions of a reshape's input make up which dimensions of its output.

#include <optional>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/passes/layout/storage_order.h"

namespace micrort::passes {

// The smallest runs of adjacent dimensions that hold the same elements on both sides, in order. Dimensions of
// size 1 belong to no group. [6,1,4,5] to [2,3,20] makes two: {0}:{0,1} and {2,3}:{2}.
struct ReshapeGroup {
  std::vector<int> input;
  std::vector<int> output;
};

class ReshapeGroups {
 public:
  // Nothing if the target shape is data, or not enough is known of dynamic dimensions to tell.
  static std::optional<ReshapeGroups> Find(const ir::Graph& graph, const ir::Node& reshape);

  // How the output lies in memory if the input lies in `order` and the reshape moves nothing, and the other
  // way round. Nothing if `order` tears a group apart.
  std::optional<Order> OutputOrder(const Order& order) const;
  std::optional<Order> InputOrder(const Order& order) const;

  // The group that makes an output dimension; null for dimensions of size 1.
  const ReshapeGroup* OfOutput(int dim) const;

  // ReshapeOptions.shape for the reordered tensors.
  std::vector<int32_t> Codes(const Order& input, const Order& output) const;

 private:
  std::vector<ReshapeGroup> groups_;
  std::vector<int64_t> input_shape_;
  std::vector<int64_t> output_shape_;
  std::vector<int> copied_;  // by output dimension: the input dimension that it equals where dynamic, else -1
};

}  // namespace micrort::passes
