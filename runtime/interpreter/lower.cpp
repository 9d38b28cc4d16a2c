#include "runtime/interpreter/lower.h"

#include <algorithm>
#include <iterator>

#include "runtime/ops/work_control.h"

namespace micrort {

namespace {

// A call that stays as it was prepared, whatever data decide.
bool IsConv(const Node& node) { return node.prepared.conv != nullptr && !node.data_dependent; }

}  // namespace

Step LowerNode(const Node& node, size_t index) {
  const PrepareResult& prepared = node.prepared;
  Step step;
  step.data_dependent = node.data_dependent;
  step.node = static_cast<int32_t>(index);
  step.node_end = step.node + 1;
  step.name = Text(node.source->name());
  step.type = node.registration->name;
  step.inputs = Ints(node.source->inputs());
  step.outputs = Ints(node.source->outputs());
  step.scratch_bytes = prepared.scratch_bytes;
  step.scratch_limit = node.source->max_scratch();
  std::copy(std::begin(prepared.in_place), std::end(prepared.in_place), step.in_place);
  if (!node.data_dependent) step.candidate = prepared.in_place_candidate;
  step.concat_axis = prepared.concat_axis;
  step.kernel_call = prepared.call;
  step.fused = prepared.fused;
  return step;
}

uint64_t FixedWorkOf(const Graph& graph) {
  uint64_t work = 0;
  for (const Node& node : graph.nodes) {
    if (!node.skipped && !node.data_dependent) work = AddWork(work, node.own_work);
  }
  return work;
}

namespace {

class Lowering {
 public:
  Lowering(const Graph& graph, Program* program) : graph_(graph), program_(*program) {}

  Status Run() {
    program_ = Program();
    MICRORT_RETURN_IF_ERROR(LowerTensors());
    size_t steps = 0, convs = 0;
    for (const Node& node : graph_.nodes) {
      steps += node.skipped ? 0 : 1;
      convs += !node.skipped && IsConv(node) ? 1 : 0;
    }
    MICRORT_RETURN_IF_ERROR(program_.steps.Allocate(steps));
    MICRORT_RETURN_IF_ERROR(program_.convs.Allocate(convs));
    LowerNodes();
    program_.inputs = graph_.inputs();
    program_.outputs = graph_.outputs();
    AddViews(program_.inputs);
    AddViews(program_.outputs);
    program_.node_count = graph_.nodes.size();
    program_.fixed_work = FixedWorkOf(graph_);
    program_.is_as_graph = true;
    return Status();
  }

 private:
  Status LowerTensors() {
    MICRORT_RETURN_IF_ERROR(program_.buffers.Allocate(graph_.tensors.size()));
    MICRORT_RETURN_IF_ERROR(program_.views.Allocate(graph_.tensors.size()));
    for (size_t t = 0; t < graph_.tensors.size(); ++t) {
      if (graph_.in_arena[t]) program_.buffers[t] = {graph_.tensors[t].bytes(), true};
    }
    return Status();
  }

  void LowerNodes() {
    size_t steps = 0, convs = 0;
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      const Node& node = graph_.nodes[n];
      if (node.skipped) continue;
      Step& step = program_.steps[steps++];
      step = LowerNode(node, n);
      AddViews(step.inputs);
      AddViews(step.outputs);
      if (!IsConv(node)) continue;
      step.call = CallKind::kConv;
      step.parameters = static_cast<int32_t>(convs);
      program_.convs[convs++] = *node.prepared.conv;
    }
  }

  // Adds views of tensors that are read or written; only their shapes have been checked.
  void AddViews(Span<const int32_t> tensors) {
    for (const int32_t t : tensors) {
      if (t < 0) continue;
      const Tensor& tensor = graph_.tensors[static_cast<size_t>(t)];
      program_.views[static_cast<size_t>(t)] = WholeView(t, tensor.dtype, tensor.shape);
    }
  }

  const Graph& graph_;
  Program& program_;
};

}  // namespace

Status LowerGraph(const Graph& graph, Program* program) { return Lowering(graph, program).Run(); }

}  // namespace micrort
