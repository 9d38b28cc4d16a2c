#pragma once
// One graph of the program, the model's own or one that an operator runs, and where its values lie.

#include <cstdint>
#include <vector>

#include "runtime/interpreter/subgraph.h"

namespace micrort::aot {

class AotGraph {
 public:
  AotGraph() = default;
  // `offsets`: of the items of BuildPlanItems, in the arena from `base` on. `args`: the views whose memory
  // others lend, in their order in Memory::args; -1: a place that no view has.
  AotGraph(const Subgraph* subgraph, Span<const size_t> offsets, size_t base, std::vector<int32_t> args)
      : subgraph_(subgraph), offsets_(offsets), base_(base), args_(std::move(args)) {}

  const Program& program() const { return subgraph_->program(); }
  const Graph& graph() const { return subgraph_->graph(); }
  const Node& node(int32_t index) const { return graph().nodes[static_cast<size_t>(index)]; }
  const Tensor& tensor(int32_t view) const { return graph().tensors[static_cast<size_t>(view)]; }

  // -1: the view lies elsewhere.
  int ArgIndex(int32_t view) const;
  bool IsInArena(int32_t view) const { return program().buffer_of(view).in_arena; }
  // In the arena.
  size_t OffsetOf(int32_t view) const;
  size_t ScratchOffsetOf(const Step& step) const;

 private:
  const Subgraph* subgraph_ = nullptr;
  Span<const size_t> offsets_;
  size_t base_ = 0;
  std::vector<int32_t> args_;
};

// Graph `index` of those that the node of a step runs. Its arguments are its inputs, then its outputs.
AotGraph BodyOf(const AotGraph& owner, const Step& step, size_t index);

}  // namespace micrort::aot
