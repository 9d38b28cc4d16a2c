#include "runtime/interpreter/update_program.h"

#include <algorithm>

#include "runtime/interpreter/lower.h"

namespace micrort {

namespace {

class Update {
 public:
  Update(const Graph& graph, CpuFeatures features, Program* program)
      : graph_(graph), features_(features), program_(*program) {}

  bool Run() {
    if (!HasSameSteps() || !UpdateViews()) return false;
    for (size_t s = 0; s < program_.steps.size();) {
      const size_t end = EndOf(s);
      const bool kept = std::all_of(&program_.steps[s], program_.steps.begin() + end,
                                    [this](const Step& step) { return NodeOf(step).kept; });
      if (!kept && !UpdateSteps(s)) return false;
      s = end;
    }
    program_.fixed_work = FixedWorkOf(graph_);
    return true;
  }

 private:
  const Node& NodeOf(const Step& step) const { return graph_.nodes[static_cast<size_t>(step.node)]; }

  // Whether the same nodes are left to run as before, each with a step, removed or not.
  bool HasSameSteps() const {
    const Step* step = program_.steps.begin();
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      const bool has_step = step != program_.steps.end() && static_cast<size_t>(step->node) == n;
      if (has_step == graph_.nodes[n].skipped) return false;
      step += has_step ? 1 : 0;
    }
    return step == program_.steps.end();
  }

  // Behind the last of the steps that run as one with step `s`.
  size_t EndOf(size_t s) const {
    const int32_t node_end = program_.steps[s].node_end;
    while (++s < program_.steps.size() && program_.steps[s].node < node_end) {
    }
    return s;
  }

  bool UpdateViews() {
    const auto update = [this](int32_t t) { return UpdateView(t); };
    if (!std::all_of(program_.inputs.begin(), program_.inputs.end(), update)) return false;
    for (const Node& node : graph_.nodes) {
      if (node.kept) continue;
      const Span<const int32_t> outputs = Ints(node.source->outputs());
      if (!std::all_of(outputs.begin(), outputs.end(), update)) return false;
    }
    return true;
  }

  // Updates the view of a tensor that steps read or write, also one that is computed while planning. False
  // for a part of another buffer.
  bool UpdateView(int32_t t) {
    const auto index = static_cast<size_t>(t);
    const Tensor& tensor = graph_.tensors[index];
    View& view = program_.views[index];
    if (view.buffer < 0 || view.shape == tensor.shape) return true;
    if (view.buffer != t || !IsWhole(view)) return false;
    view = WholeView(t, tensor.dtype, tensor.shape);
    if (program_.buffers[index].in_arena) program_.buffers[index].bytes = tensor.bytes();
    return true;
  }

  bool UpdateSteps(size_t s) {
    Step& step = program_.steps[s];
    return step.call == CallKind::kElementwise ? UpdateFused(step) : UpdateOperator(step);
  }

  // Rewrites ask how large convolutions and what is done in place are, so that these are lowered anew.
  bool UpdateOperator(Step& step) const {
    const Node& node = NodeOf(step);
    if (step.removed || step.call != CallKind::kOperator || step.data_dependent != node.data_dependent)
      return false;
    const bool is_conv = node.prepared.conv != nullptr && !node.data_dependent;
    const Step lowered = LowerNode(node, static_cast<size_t>(step.node));
    if (is_conv || lowered.candidate.input >= 0 || step.candidate.input >= 0) return false;
    step = lowered;
    return true;
  }

  bool UpdateFused(Step& step) {
    const Shape& shape = program_.view(step.outputs[0]).shape;
    for (int32_t n = step.node; n < step.node_end; ++n) {
      const Node& node = graph_.nodes[static_cast<size_t>(n)];
      if (node.skipped || node.data_dependent || node.outputs[0]->shape != shape) return false;
    }
    Shape inputs[kMaxFusedInputs];
    for (size_t i = 0; i < step.inputs.size(); ++i) inputs[i] = program_.view(step.inputs[i]).shape;
    // What is broadcast cannot be written over.
    for (size_t o = 0; o < step.outputs.size(); ++o) {
      int8_t& from = step.in_place[o];
      if (from >= 0 && inputs[from] != shape) from = -1;
    }
    FusedElementwise& fused = program_.fused[static_cast<size_t>(step.parameters)];
    bool fits = false;
    const Status status =
        fused.functions->plan(features_, {inputs, step.inputs.size()}, shape, &fused, &fits);
    return status.ok() && fits;
  }

  const Graph& graph_;
  const CpuFeatures features_;
  Program& program_;
};

}  // namespace

bool UpdateProgram(const Graph& graph, CpuFeatures features, Program* program) {
  return Update(graph, features, program).Run();
}

}  // namespace micrort
