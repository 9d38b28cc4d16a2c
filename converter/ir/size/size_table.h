#pragma once
// What is known of the tensors of a graph, and of bodies inside it, for all sizes.

#include <deque>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "converter/ir/graph.h"
#include "converter/ir/size/sized_tensor.h"
#include "converter/ir/size/solver.h"
#include "converter/ir/size/witness.h"

namespace micrort::ir::size {

class SizeTable {
 public:
  struct Entry {
    bool known = false;
    SizedTensor tensor;
    // The elements are the same whatever the graph's inputs hold and however large they are.
    bool constant = false;
  };

  // References stay valid until the graph is forgotten.
  Entry& At(const Graph& graph, ValueId id);
  // Null where it was never asked for.
  const Entry* Find(const Graph& graph, ValueId id) const;
  void Forget(const Graph& graph) { entries_.erase(&graph); }

  SymbolTable& symbols() { return symbols_; }
  const SymbolTable& symbols() const { return symbols_; }
  Witness& witness() { return witness_; }
  const Witness& witness() const { return witness_; }
  bool has_symbols() const { return symbols_.count() != 0; }

  // Symbols that belong to a place, the same whenever they are asked for.
  // A dimension that data decide, and that any size is tried for.
  Expr FreeDim(const Graph& graph, ValueId id, int dim);
  // A dimension that an operator computes by rules that are not followed.
  Expr ComputedDim(const Graph& graph, ValueId id, int dim, int64_t size);
  // An element of a tensor, where it is known at the sizes that are tried with its value.
  Expr Element(const Graph& graph, ValueId id, int element, std::optional<int64_t> value);
  // The tensors that have elements of their own symbols, by these.
  std::map<Symbol, std::pair<const Graph*, ValueId>> TensorsOfElements() const;

 private:
  enum class Kind { kFree, kComputed, kElement };
  using Place = std::tuple<const Graph*, ValueId, Kind, int>;

  std::unordered_map<const Graph*, std::deque<Entry>> entries_;  // by ValueId
  SymbolTable symbols_;
  Witness witness_;
  std::map<Place, Symbol> places_;
};

}  // namespace micrort::ir::size
