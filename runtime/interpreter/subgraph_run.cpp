#include "runtime/interpreter/subgraph.h"
#include "runtime/ops/work_control.h"

namespace micrort {

namespace {

// Fills `views` with the inputs, then the outputs of the node.
OpInfo Describe(const Node& node, int index, Span<TensorView> views) {
  TensorView* next = views.begin();
  for (const Tensor* tensor : node.inputs) *next++ = tensor == nullptr ? TensorView() : ViewOf(*tensor);
  for (const Tensor* tensor : node.outputs) *next++ = ViewOf(*tensor);
  OpInfo info;
  info.index = index;
  info.type = node.registration->name;
  info.node = Text(node.source->name());
  info.algorithm = node.prepared.algorithm;
  info.layer = node.prepared.layer;
  info.multiply_adds = node.prepared.multiply_adds;
  info.inputs = {views.begin(), node.inputs.size()};
  info.outputs = {views.begin() + node.inputs.size(), node.outputs.size()};
  return info;
}

}  // namespace

TensorView ViewOf(const Tensor& tensor) {
  TensorView view;
  view.name = tensor.name;
  view.dtype = tensor.dtype;
  view.shape = tensor.shape;
  view.data = tensor.data;
  view.quantization = tensor.quantization;
  return view;
}

Status Subgraph::Run(const Parallel& parallel, OpObserver* observer, Span<TensorView> views) {
  const SequentialUntilStopped one_thread(StopOf(target_.control));
  const Parallel& alone = one_thread;
  const FusedChain* chain = chains_.begin();
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (chain != chains_.end() && chain->first == i) {
      for (size_t k = chain->first; k < chain->end; ++k) MICRORT_RETURN_IF_ERROR(Spend(nodes_[k]));
      RunChain(*chain, parallel);
      i = chain->end - 1;
      ++chain;
      continue;
    }
    Node& node = nodes_[i];
    if (node.skipped || node.joined) continue;
    if (node.varies) {
      if (Status s = PrepareAgain(node); !s.ok()) return node.Explain(s);
    }
    if (Status s = Spend(node); !s.ok()) return node.Explain(s);
    if (observer != nullptr) observer->BeforeOp(Describe(node, static_cast<int>(i), views));
    const RunContext context = node.MakeRunContext(node.sequential ? alone : parallel, target_.control);
    if (Status s = node.registration->run(context); !s.ok()) return node.Explain(s);
    // Described again: run may have decided shapes.
    if (observer != nullptr) observer->AfterOp(Describe(node, static_cast<int>(i), views));
  }
  const StopSignal* stop = StopOf(target_.control);
  return stop == nullptr ? Status() : stop->Check();
}

}  // namespace micrort
