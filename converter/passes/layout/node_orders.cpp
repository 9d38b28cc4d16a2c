#include "converter/passes/layout/node_orders.h"

#include <algorithm>

#include "converter/passes/layout/reshape_groups.h"
#include "converter/passes/normalize_fits.h"
#include "runtime/ops/op_traits.h"

namespace micrort::passes {
namespace {

using schema::OpCode;

bool IsOneElement(const ir::Value& value) { return value.is_static() && value.elements() == 1; }

// Whether the node's output has the rank of its inputs and every dimension keeps its meaning, so that one
// order serves all of them.
bool KeepsDimensions(const ir::Node& node) {
  const Holds keeps = TraitsOf(node.code).keeps_dimensions;
  if (keeps != Holds::kByOptions) return keeps == Holds::kAlways;
  switch (node.code) {
    case OpCode::Slice:
      return node.inputs.size() == 1 && !node.as<schema::SliceOptionsT>().axes.empty();
    case OpCode::Pad:
      return !node.has_input(1) && !node.as<schema::PadOptionsT>().pads.empty();
    case OpCode::Reduce:
      return node.inputs.size() == 1 && node.as<schema::ReduceOptionsT>().keep_dims;
    default:  // what could say otherwise are inputs
      return node.inputs.size() == 1;
  }
}

// Inputs that the operator takes element for element with its output; the others are parameters.
bool IsData(const ir::Node& node, size_t input) { return OperandOf(node.code, input) == Operand::kData; }

// Whether dimensions of the input may be 1, or absent in front, where those of the output are not.
bool Broadcasts(const ir::Node& node, size_t input) {
  return node.code == OpCode::Binary || node.code == OpCode::Select ||
         (node.code == OpCode::Normalize && input > 0);
}

std::optional<NodeOrders> OneOrder(const ir::Graph& graph, const ir::Node& node, const Order& order) {
  NodeOrders orders;
  const ir::Value& output = graph.value(node.outputs[0]);
  if (!output.has_shape || output.shape.size() != order.size()) return std::nullopt;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    orders.inputs.emplace_back();
    if (!node.has_input(i) || !IsData(node, i)) continue;
    const ir::Value& input = graph.value(node.inputs[i]);
    if (!input.has_shape) return std::nullopt;
    const bool broadcasts = Broadcasts(node, i);
    if (broadcasts && IsOneElement(input) && input.shape.size() <= order.size()) continue;
    const bool extends = broadcasts && input.is_constant() && input.shape.size() < order.size();
    if (input.shape.size() != order.size() && !extends) return std::nullopt;
    orders.inputs.back() = order;
  }
  orders.output = order;
  return orders;
}

void MapAxes(const Order& order, std::vector<int32_t>* axes) {
  for (int32_t& axis : *axes) axis = PositionOf(order, axis);
}

// Not every set of axes suits the operator.
std::optional<NodeOrders> NormalizeOrders(const ir::Graph& graph, const ir::Node& node, const Order& order) {
  auto orders = OneOrder(graph, node, order);
  if (!orders) return std::nullopt;
  ir::Value values[3];
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (!node.has_input(i)) continue;
    values[i] = graph.value(node.inputs[i]);
    values[i].shape.insert(values[i].shape.begin(), order.size() - values[i].shape.size(), 1);
    values[i].shape = Permuted(values[i].shape, order);
  }
  auto axes = node.as<schema::NormalizeOptionsT>().axes;
  MapAxes(order, &axes);
  const bool fits = NormalizeFits(values[0], axes, node.has_input(1) ? &values[1] : nullptr,
                                  node.has_input(2) ? &values[2] : nullptr);
  return fits ? orders : std::nullopt;
}

// One matrix for all rows, whatever the order of what numbers the rows.
std::optional<NodeOrders> MatMulOrders(const ir::Graph& graph, const ir::Node& node, const Order& order) {
  const ir::Value& x = graph.value(node.inputs[0]);
  const ir::Value& matrix = graph.value(node.inputs[1]);
  const bool rows_only = x.has_shape && x.shape.size() == order.size() && matrix.has_shape &&
                         matrix.rank() == 2 && order.back() == x.rank() - 1;
  if (!rows_only) return std::nullopt;
  NodeOrders orders;
  orders.inputs.resize(node.inputs.size());
  orders.inputs[0] = orders.output = order;
  if (node.has_input(kLayerResidual)) orders.inputs[kLayerResidual] = order;
  return orders;
}

// The order of what is left when the reduced axes are dropped.
NodeOrders ReduceOrders(const ir::Node& node, const Order& order) {
  const auto& axes = node.as<schema::ReduceOptionsT>().axes;
  NodeOrders orders;
  orders.inputs = {order};
  for (int dim : order) {
    if (std::count(axes.begin(), axes.end(), dim) != 0) continue;
    const auto dropped = std::count_if(axes.begin(), axes.end(), [dim](int axis) { return axis < dim; });
    orders.output.push_back(dim - static_cast<int>(dropped));
  }
  return orders;
}

// The dimensions of the indices take the place of the axis.
std::optional<NodeOrders> GatherOrders(const ir::Graph& graph, const ir::Node& node, const Order& order) {
  const ir::Value& indices = graph.value(node.inputs[1]);
  if (!indices.has_shape) return std::nullopt;
  const int axis = node.as<schema::GatherOptionsT>().axis;
  const int added = indices.rank();
  NodeOrders orders;
  orders.inputs = {order, Order()};
  for (int dim : order) {
    if (dim == axis) {
      for (int i = 0; i < added; ++i) orders.output.push_back(axis + i);
    } else {
      orders.output.push_back(dim < axis ? dim : dim + added - 1);
    }
  }
  return orders;
}

std::optional<NodeOrders> ReshapeOrders(const std::optional<Order>& input,
                                        const std::optional<Order>& output) {
  if (!input || !output) return std::nullopt;
  NodeOrders orders;
  orders.inputs = {*input};
  orders.output = *output;
  return orders;
}

template <typename T>
void PermuteIfPresent(const Order& order, std::vector<T>* per_dim) {
  if (!per_dim->empty()) *per_dim = Permuted(*per_dim, order);
}

void PermutePads(const Order& order, std::vector<int64_t>* pads) {
  const auto rank = static_cast<std::ptrdiff_t>(order.size());
  const std::vector<int64_t> begins(pads->begin(), pads->begin() + rank);
  const std::vector<int64_t> ends(pads->begin() + rank, pads->end());
  *pads = Permuted(begins, order);
  const std::vector<int64_t> permuted_ends = Permuted(ends, order);
  pads->insert(pads->end(), permuted_ends.begin(), permuted_ends.end());
}

// Codes at or below -2 name a dimension of the input.
void PermuteExpandShape(const Order& order, std::vector<int32_t>* shape) {
  *shape = Permuted(*shape, order);
  for (int32_t& code : *shape) {
    if (code <= -2) code = -2 - PositionOf(order, -2 - code);
  }
}

}  // namespace

std::optional<NodeOrders> OrdersFromInput(const ir::Graph& graph, const ir::Node& node, size_t index,
                                          const Order& order) {
  if (node.code == OpCode::Normalize) return NormalizeOrders(graph, node, order);
  if (KeepsDimensions(node)) return IsData(node, index) ? OneOrder(graph, node, order) : std::nullopt;
  if (index != 0) return std::nullopt;
  if (node.code == OpCode::MatMul) return MatMulOrders(graph, node, order);
  if (node.code == OpCode::Reduce && node.inputs.size() == 1) return ReduceOrders(node, order);
  if (node.code == OpCode::Gather) return GatherOrders(graph, node, order);
  if (node.code == OpCode::Reshape) {
    const auto groups = ReshapeGroups::Find(graph, node);
    return groups ? ReshapeOrders(order, groups->OutputOrder(order)) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<NodeOrders> OrdersFromOutput(const ir::Graph& graph, const ir::Node& node, const Order& order) {
  if (node.code == OpCode::Normalize) return NormalizeOrders(graph, node, order);
  if (node.code == OpCode::MatMul) return MatMulOrders(graph, node, order);
  if (KeepsDimensions(node)) return OneOrder(graph, node, order);
  if (node.code == OpCode::Reshape) {
    const auto groups = ReshapeGroups::Find(graph, node);
    return groups ? ReshapeOrders(groups->InputOrder(order), order) : std::nullopt;
  }
  return std::nullopt;
}

void ReorderOptions(const ir::Graph& graph, const NodeOrders& orders, ir::Node* node) {
  const Order& order = orders.output;
  switch (node->code) {
    case OpCode::Softmax: {
      auto& axis = node->as<schema::SoftmaxOptionsT>().axis;
      axis = PositionOf(order, axis);
      return;
    }
    case OpCode::Concat: {
      auto& axis = node->as<schema::ConcatOptionsT>().axis;
      axis = PositionOf(order, axis);
      return;
    }
    case OpCode::Gather: {
      auto& axis = node->as<schema::GatherOptionsT>().axis;
      axis = PositionOf(orders.inputs[0], axis);
      return;
    }
    case OpCode::Reduce: {
      auto& axes = node->as<schema::ReduceOptionsT>().axes;
      MapAxes(orders.inputs[0], &axes);
      std::sort(axes.begin(), axes.end());
      return;
    }
    case OpCode::Normalize: {
      auto& axes = node->as<schema::NormalizeOptionsT>().axes;
      MapAxes(order, &axes);
      std::sort(axes.begin(), axes.end());
      return;
    }
    case OpCode::Slice:
      MapAxes(order, &node->as<schema::SliceOptionsT>().axes);
      return;
    case OpCode::Pad:
      PermutePads(order, &node->as<schema::PadOptionsT>().pads);
      return;
    case OpCode::Tile:
      PermuteIfPresent(order, &node->as<schema::TileOptionsT>().repeats);
      return;
    case OpCode::Resize:
      PermuteIfPresent(order, &node->as<schema::ResizeOptionsT>().scales);
      PermuteIfPresent(order, &node->as<schema::ResizeOptionsT>().sizes);
      return;
    case OpCode::Expand:
      PermuteExpandShape(order, &node->as<schema::ExpandOptionsT>().shape);
      return;
    case OpCode::Reshape:
      node->as<schema::ReshapeOptionsT>().shape =
          ReshapeGroups::Find(graph, *node)->Codes(orders.inputs[0], orders.output);
      return;
    default:
      return;  // element by element: no options that name dimensions
  }
}

}  // namespace micrort::passes
