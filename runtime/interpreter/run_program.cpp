#include "runtime/interpreter/run_program.h"

#include <algorithm>

#include "runtime/interpreter/prepare_nodes.h"
#include "runtime/ops/work_control.h"
#include "runtime/program/program.h"
#include "runtime/program/run_conv.h"

namespace micrort {

namespace {

// What an observer is told of a step. `views` is filled with its inputs, then its outputs.
class StepInfo {
 public:
  StepInfo(const Program& program, const Graph& graph, const Step& step, Span<TensorView> views) {
    for (int32_t n = step.node; n < step.node_end; ++n) {
      AddSource(graph.nodes[static_cast<size_t>(n)], &sources_[n - step.node]);
    }
    const Node& first = graph.nodes[static_cast<size_t>(step.node)];
    const Node& last = graph.nodes[static_cast<size_t>(step.node_end) - 1];
    TensorView* next = views.begin();
    for (const Tensor* tensor : first.inputs) *next++ = tensor == nullptr ? TensorView() : ViewOf(*tensor);
    for (const Tensor* tensor : last.outputs) {
      *next = ViewOf(*tensor);
      if (!IsWhole(program.views[graph.IndexOf(tensor)])) next->data = nullptr;
      ++next;
    }
    const bool is_fused = step.node_end - step.node > 1;
    info_.index = step.node;
    info_.sources = {sources_, static_cast<size_t>(step.node_end - step.node)};
    info_.type = sources_[0].type;
    info_.node = sources_[0].node;
    info_.algorithm = AlgorithmOf(step, sources_[0]);
    info_.layer = is_fused ? 0 : sources_[0].layer;
    info_.inputs = {views.begin(), first.inputs.size()};
    info_.outputs = {views.begin() + first.inputs.size(), last.outputs.size()};
  }
  const OpInfo& info() const { return info_; }

 private:
  static const char* AlgorithmOf(const Step& step, const OpSource& first) {
    if (step.node_end - step.node == 1) return first.algorithm;
    return step.call == CallKind::kElementwise ? "fused_elementwise" : "row_stripes";
  }

  void AddSource(const Node& node, OpSource* source) {
    source->type = node.registration->name;
    source->node = Text(node.source->name());
    source->algorithm = node.prepared.algorithm;
    source->layer = node.prepared.layer;
    source->multiply_adds = node.prepared.multiply_adds;
    info_.multiply_adds += source->multiply_adds;
  }

  OpSource sources_[std::max(kMaxConvChain, kMaxFusedSteps)];
  OpInfo info_;
};

}  // namespace

Status ProgramRun::Run(const Parallel& parallel, OpObserver* observer, Span<TensorView> views) {
  // The body of a loop may have no steps, as its results are constants: its call counts like an operator's.
  MICRORT_RETURN_IF_ERROR(Spend(target_.control, std::max(program_.fixed_work, kOperatorWork)));
  const StopSignal* const stop = StopOf(target_.control);
  for (const Step& step : program_.steps) {
    if (step.removed) continue;
    Status status = stop == nullptr ? Status() : stop->Check();
    if (status.ok()) {
      status = observer == nullptr ? RunStep(step, parallel) : RunObserved(step, parallel, *observer, views);
    }
    if (!status.ok()) return graph_.nodes[static_cast<size_t>(step.node)].Explain(status);
  }
  return stop == nullptr ? Status() : stop->Check();
}

// Nothing is described between the step and AfterOp, where an observer may read a clock, unless the run has
// decided shapes.
Status ProgramRun::RunObserved(const Step& step, const Parallel& parallel, OpObserver& observer,
                               Span<TensorView> views) {
  const StepInfo planned(program_, graph_, step, views);
  observer.BeforeOp(planned.info());
  MICRORT_RETURN_IF_ERROR(RunStep(step, parallel));
  if (step.data_dependent) {
    observer.AfterOp(StepInfo(program_, graph_, step, views).info());
  } else {
    observer.AfterOp(planned.info());
  }
  return Status();
}

void ProgramRun::RunElementwise(const Step& step, const Parallel& parallel) const {
  const FusedElementwise& fused = program_.fused[static_cast<size_t>(step.parameters)];
  const void* in[kMaxFusedInputs];
  void* out[kMaxFusedOutputs];
  for (size_t i = 0; i < step.inputs.size(); ++i)
    in[i] = graph_.tensors[static_cast<size_t>(step.inputs[i])].data;
  for (size_t o = 0; o < step.outputs.size(); ++o)
    out[o] = graph_.tensors[static_cast<size_t>(step.outputs[o])].data;
  fused.functions->run(fused.program, in, out, parallel);
}

Status ProgramRun::RunStep(const Step& step, const Parallel& parallel) {
  const SequentialUntilStopped one_thread(StopOf(target_.control));
  Node& first = graph_.nodes[static_cast<size_t>(step.node)];
  if (first.data_dependent) MICRORT_RETURN_IF_ERROR(NodePreparation(graph_, target_).PrepareAgain(first));
  const Parallel& workers = first.sequential ? static_cast<const Parallel&>(one_thread) : parallel;
  if (step.call == CallKind::kOperator)
    return first.registration->run(first.MakeRunContext(workers, target_.control));
  if (step.call == CallKind::kElementwise) {
    RunElementwise(step, workers);
    return Status();
  }
  const void* packed[kMaxConvChain] = {};
  for (int32_t n = step.node; n < step.node_end; ++n) {
    packed[n - step.node] = graph_.nodes[static_cast<size_t>(n)].packed[0];
  }
  RunConvStep(program_, step, {graph_.tensors.data(), packed, first.scratch}, workers);
  return Status();
}

}  // namespace micrort
