#pragma once
// Operators that work as well on reordered values, once their options are reordered too.

#include <optional>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/passes/layout/storage_order.h"

namespace micrort::passes {

// How a node's values lie in memory. An input whose order is empty (indices, scalars, absent) is used as it
// is. A constant's order may have a higher rank than the constant: its shape gets ones in front.
struct NodeOrders {
  std::vector<Order> inputs;
  Order output;
};

// What follows for the node's other values if input `index` (or the output) lies in `order`. Nothing if the
// node needs its values as they are, or this cannot be expressed. Transposes are not for this function.
std::optional<NodeOrders> OrdersFromInput(const ir::Graph& graph, const ir::Node& node, size_t index,
                                          const Order& order);
std::optional<NodeOrders> OrdersFromOutput(const ir::Graph& graph, const ir::Node& node, const Order& order);

// Rewrites the node's options for values in these orders. `node` may be a copy; its values in `graph` are
// still those before reordering.
void ReorderOptions(const ir::Graph& graph, const NodeOrders& orders, ir::Node* node);

}  // namespace micrort::passes
