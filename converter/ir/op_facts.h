#pragma once
// What a node does, where its options decide beside its operator (runtime/ops/op_traits.h).

#include "converter/ir/graph.h"
#include "runtime/ops/op_traits.h"

namespace micrort::ir {

// What becomes of the elements of a node's data operands.
enum class Movement {
  kNone,       // the node computes with them
  kMoves,      // the output holds elements as they are, and no others
  kFillsZero,  // the same, and zeros
  kChooses,    // elements as they are, chosen by their order
  kConverts,   // to another type, each for itself; different ones stay different
};
Movement MovementOf(const Graph& graph, const Node& node);
// Whether the node moves the elements of its first input and of no other, so that it could as well do so
// before or after they are converted from or to a quantization of the whole tensor.
bool CommutesWithQuantization(const Graph& graph, const Node& node);

// The axis of output channels in weights of this rank; -1 for operators without weights and unexpected ranks.
int ChannelAxis(const Node& node, int weights_rank);

}  // namespace micrort::ir
