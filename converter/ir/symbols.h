#pragma once
// The dimensions of a graph's inputs that are not fixed, and definite sizes to try them with.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::ir {

// Two sizes for every symbol make one attempt. No sizes suit every network (strides need large ones, skip
// connections multiples of 32, some inputs equal ones), hence several attempts, tried in order.
class Symbols {
 public:
  explicit Symbols(const Graph& graph);

  static size_t attempts();
  bool empty() const { return symbols_.empty(); }

  // The shape of a graph input with the sizes of one probe, 0 or 1. Dimensions that are fixed stay.
  std::vector<int64_t> ShapeOf(const Value& value, ValueId id, size_t attempt, size_t probe) const;
  // The name of the only symbol that has size `a` in probe 0 and `b` in probe 1; "" if there is none.
  std::string NameOf(size_t attempt, int64_t a, int64_t b) const;

 private:
  struct Symbol {
    std::string name;  // "" where it has none
    bool leading;      // first met as the outermost dimension, so most likely the batch
    int ordinal;       // among those that are leading or not, as this one
  };
  int64_t SizeOf(const Symbol& symbol, size_t attempt, size_t probe) const;

  std::vector<Symbol> symbols_;
  std::unordered_map<ValueId, std::vector<size_t>> dims_;  // of inputs: the symbol a dimension, or kFixed
};

}  // namespace micrort::ir
