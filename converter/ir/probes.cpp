#include "converter/ir/probes.h"

namespace micrort::ir {

void Probes::Forget(const Graph& graph) {
  for (auto& probe : probes_) probe.erase(&graph);
}

HostTensor& Probes::At(const Graph& graph, ValueId id, size_t probe) {
  Tensors& tensors = probes_[probe][&graph];
  if (tensors.all.size() < graph.value_count()) {
    tensors.all.resize(graph.value_count());
    tensors.ready.resize(graph.value_count());
  }
  return tensors.all[static_cast<size_t>(id)];
}

bool Probes::IsReady(const Graph& graph, ValueId id, size_t probe) const {
  const auto tensors = probes_[probe].find(&graph);
  const auto i = static_cast<size_t>(id);
  return tensors != probes_[probe].end() && i < tensors->second.ready.size() && tensors->second.ready[i];
}

void Probes::SetReady(const Graph& graph, ValueId id, size_t probe) {
  probes_[probe].at(&graph).ready[static_cast<size_t>(id)] = true;
}

std::shared_ptr<const Bytes> Probes::CommonData(const Graph& graph, ValueId id) const {
  if (!IsReady(graph, id, 0) || !IsReady(graph, id, count() - 1)) return nullptr;
  const HostTensor &a = First(graph, id), &b = Last(graph, id);
  const bool equal = a.data != nullptr && b.data != nullptr && a.shape == b.shape && *a.data == *b.data;
  return equal ? a.data : nullptr;
}

}  // namespace micrort::ir
