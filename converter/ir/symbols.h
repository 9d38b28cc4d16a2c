#pragma once
// The dimensions of a graph that only its inputs decide, by their shapes or by their data, and definite sizes
// to try them with.

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "converter/ir/graph.h"
#include "runtime/ops/extent.h"

namespace micrort::ir {

// Two sizes for every symbol make one attempt. No sizes suit every network (strides need large ones, skip
// connections multiples of 32, some inputs equal ones), hence several attempts, tried in order.
class Symbols {
 public:
  explicit Symbols(const Graph& graph);

  // Makes the dimensions of a value that are not fixed symbols; those that are already stay. Here and below,
  // `graph` is the one given to the constructor, or a body inside it.
  void AddRunDims(const Graph& graph, ValueId id, Extents extents);

  static size_t attempts();
  bool empty() const { return symbols_.empty(); }

  // The shape of a graph input with the sizes of one probe, 0 or 1. Dimensions that are fixed stay.
  std::vector<int64_t> ShapeOf(const Value& value, ValueId id, size_t attempt, size_t probe) const;
  // The one size of a graph input's dimension that an attempt tries; kDynamic if there are two, or it is
  // fixed.
  int64_t OnlySize(ValueId id, int dim, size_t attempt) const;
  // The size of a dimension made a symbol by AddRunDims.
  int64_t RunSize(const Graph& graph, ValueId id, int dim, size_t attempt, size_t probe) const;
  // The only symbol that has size `a` in probe 0 and `b` in probe 1, and its name; kNoSymbol, "" if there is
  // none.
  static constexpr size_t kNoSymbol = static_cast<size_t>(-1);
  size_t Find(size_t attempt, int64_t a, int64_t b) const;
  std::string NameOf(size_t attempt, int64_t a, int64_t b) const;
  // From now on these have one size. False if they have it already.
  bool Equate(size_t a, size_t b);

 private:
  struct Symbol {
    std::string name;  // "" where it has none
    bool leading;      // first met as the outermost dimension, so most likely the batch
    int ordinal;       // among those that are leading or not, as this one
    size_t same_as;    // the symbol whose size it has; itself, unless they were equated
  };
  const Symbol& Sized(size_t symbol) const { return symbols_[symbols_[symbol].same_as]; }
  size_t AddSymbol(const std::string& name, bool leading);
  int64_t SizeOf(const Symbol& symbol, size_t attempt, size_t probe) const;

  std::vector<Symbol> symbols_;
  int counts_[2] = {0, 0};  // of symbols that are not leading, and that are
  std::map<std::tuple<const Graph*, ValueId, int>, size_t> run_dims_;
  std::unordered_map<ValueId, std::vector<size_t>> dims_;  // of inputs: the symbol a dimension, or kFixed
};

}  // namespace micrort::ir
