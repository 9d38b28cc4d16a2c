#pragma once
// Tensors of a graph, and of bodies inside it, as they are with the sizes that are tried.

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/ir/op_call.h"

namespace micrort::ir {

class Probe {
 public:
  void Reset() { tensors_.clear(); }
  void Forget(const Graph& graph) { tensors_.erase(&graph); }

  // Makes room for it; references stay valid until the graph is forgotten.
  HostTensor& At(const Graph& graph, ValueId id);
  const HostTensor& At(const Graph& graph, ValueId id) const {
    return tensors_.at(&graph).all[static_cast<size_t>(id)];
  }
  bool IsReady(const Graph& graph, ValueId id) const;
  void SetReady(const Graph& graph, ValueId id) { tensors_.at(&graph).ready[static_cast<size_t>(id)] = true; }

 private:
  struct Tensors {
    std::deque<HostTensor> all;  // by ValueId; graphs grow while they are imported, and tensors stay in place
    std::vector<bool> ready;     // whether all[id] is filled in
  };

  std::unordered_map<const Graph*, Tensors> tensors_;
};

}  // namespace micrort::ir
