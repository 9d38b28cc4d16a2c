#pragma once
// Tensors of a graph, and of bodies inside it, as they are with definite sizes: once, or, where there are
// symbols, with two different sizes for each.

#include <memory>
#include <unordered_map>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/ir/op_call.h"

namespace micrort::ir {

class Probes {
 public:
  // Forgets everything.
  void Reset(size_t count) { probes_.assign(count, {}); }
  void Forget(const Graph& graph);

  size_t count() const { return probes_.size(); }
  // Makes room for it; references stay valid until the graph has more values.
  HostTensor& At(const Graph& graph, ValueId id, size_t probe);
  bool IsReady(const Graph& graph, ValueId id, size_t probe) const;
  void SetReady(const Graph& graph, ValueId id, size_t probe);

  // A tensor of the first and the last probe, which may be the same.
  const HostTensor& First(const Graph& graph, ValueId id) const { return Get(graph, id, 0); }
  const HostTensor& Last(const Graph& graph, ValueId id) const { return Get(graph, id, count() - 1); }

  // The elements, if they are the same in both; null if not, or where the tensor is not ready.
  std::shared_ptr<const Bytes> CommonData(const Graph& graph, ValueId id) const;

 private:
  struct Tensors {
    std::vector<HostTensor> all;  // by ValueId
    std::vector<bool> ready;      // whether all[id] is filled in
  };
  const HostTensor& Get(const Graph& graph, ValueId id, size_t probe) const {
    return probes_[probe].at(&graph).all[static_cast<size_t>(id)];
  }

  std::vector<std::unordered_map<const Graph*, Tensors>> probes_;
};

}  // namespace micrort::ir
