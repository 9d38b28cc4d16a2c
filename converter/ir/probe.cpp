#include "converter/ir/probe.h"

namespace micrort::ir {

HostTensor& Probe::At(const Graph& graph, ValueId id) {
  Tensors& tensors = tensors_[&graph];
  if (tensors.all.size() < graph.value_count()) {
    tensors.all.resize(graph.value_count());
    tensors.ready.resize(graph.value_count());
  }
  return tensors.all[static_cast<size_t>(id)];
}

bool Probe::IsReady(const Graph& graph, ValueId id) const {
  const auto tensors = tensors_.find(&graph);
  const auto i = static_cast<size_t>(id);
  return tensors != tensors_.end() && i < tensors->second.ready.size() && tensors->second.ready[i];
}

}  // namespace micrort::ir
