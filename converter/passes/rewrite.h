#pragma once
// Local rewrites: a function looks at one node and its surroundings and changes them if they match.

#include <functional>
#include <initializer_list>

#include "converter/ir/build.h"
#include "converter/ir/graph.h"
#include "converter/passes/live_uses.h"

namespace micrort::passes {

// A node of a graph, and who writes and reads the values around it. Valid until something is changed.
struct Site {
  ir::Graph& graph;
  LiveUses& uses;
  ir::Node& node;

  ir::Value& input(size_t i) const { return graph.value(node.inputs[i]); }
  ir::Value& output() const { return graph.value(node.outputs[0]); }
  // Who writes input i; null for graph inputs, constants and absent inputs.
  ir::Node* producer(size_t i) const;
  // The same, but null unless the node is the only reader of the input.
  ir::Node* own_producer(size_t i) const;
  // The only reader of the node's output, or null.
  ir::Node* only_consumer() const { return uses.single_consumer(node.outputs[0]); }

  // Appends nodes that look as if they came from this node's source; they move to right before it.
  ir::Builder Build() const { return ir::Builder(graph, ir::OriginOf(node), node.name); }
};

// Changes the graph and returns true, or leaves it alone and returns false.
using Rewrite = std::function<bool(const Site& site)>;

// Applies a rewrite to every node in run order, and again until nothing changes any more. Returns whether
// anything changed. Nodes that nobody reads are not visited any more. Meanwhile graph.nodes holds only what
// the rewrite appends.
bool RewriteNodes(ir::Graph& graph, const Rewrite& rewrite);
// The same for a rewrite of nodes with these operators alone; others are not shown to it. In a graph without
// any it costs one look at the nodes: most passes find nothing to do in most graphs.
bool RewriteNodes(ir::Graph& graph, std::initializer_list<schema::OpCode> codes, const Rewrite& rewrite);

// Makes all readers of `from` read `to` instead, which must hold the same elements in the same shape. Names
// that users know stay: of a graph output always, of another value of the source model if `to` is not one
// itself. False, and nothing is changed, if that cannot be because `to` has a name that must stay too.
bool ReplaceValue(const Site& site, ir::ValueId from, ir::ValueId to);
// The same without making them: the caller does, and tells which values are outputs of the graph; looking
// there for each would take the square of their number.
//   to_is_known: it is an input or an output of the graph, or a constant.
bool HandNameOver(ir::Graph& graph, ir::ValueId from, bool from_is_output, ir::ValueId to, bool to_is_known);

// Puts `producer` in the place of its only reader: its operator with what has been merged into it, writing
// what the reader wrote.
void MergeIntoConsumer(ir::Node& producer, ir::Node& consumer);

// Removes nodes none of whose outputs is read, and nodes without outputs. Returns whether there were any.
bool RemoveDeadNodes(ir::Graph& graph);

}  // namespace micrort::passes
