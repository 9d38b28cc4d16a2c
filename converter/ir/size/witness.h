#pragma once
// Sizes that operators are asked with. Nothing that is written to a file follows from them: at these sizes
// operators tell types, what they check beside sizes, and data that are constant for all sizes.
//
// They keep to what a solver takes for equal; beside that each symbol has a size of its own, so that an
// expression which does not give what the operator gives is found.

#include <optional>
#include <vector>

#include "converter/ir/size/solver.h"

namespace micrort::ir::size {

class Witness {
 public:
  // leading: met as an outermost dimension, so most likely a batch.
  void AddFree(Symbol symbol, bool leading);
  // The size that an operator computed; until it is set, there is none.
  void SetComputed(Symbol symbol, int64_t size);

  // Whether an operator computes its size.
  bool IsComputed(Symbol symbol) const;
  std::optional<int64_t> SizeOf(Symbol symbol) const;

  // Symbols of one kind have one size: for graphs in which hundreds have to be equal, found one by one.
  bool are_equal() const { return are_equal_; }
  void MakeEqual(bool equal) { are_equal_ = equal; }

  std::optional<int64_t> SizeOf(const Expr& e, const Solver& likely) const;
  // The sizes of the symbols that were made free, but for the first ones.
  std::vector<std::optional<int64_t>> FreeSizes(const Solver& likely, size_t first = 0) const;
  size_t free_count() const { return free_.size(); }
  // Where FreeSizes() has the symbol of this id; nothing if it is not free.
  std::optional<size_t> PlaceOf(int id) const;

 private:
  enum class Kind { kMultiple, kFree, kComputed };
  struct Entry {
    Kind kind = Kind::kMultiple;  // of another symbol, as a solver makes them
    bool leading = false;
    int ordinal = 0;  // among those that are leading or not, as this one
    std::optional<int64_t> computed;
    size_t place = 0;  // in free_
  };
  Entry& At(Symbol symbol);

  std::vector<Entry> entries_;  // by symbol
  std::vector<Symbol> free_;
  int counts_[2] = {0, 0};  // of free symbols that are not leading, and that are
  bool are_equal_ = false;
};

}  // namespace micrort::ir::size
