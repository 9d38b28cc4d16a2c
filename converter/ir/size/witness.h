#pragma once
// Sizes that a graph is tried with. Nothing that is written to a file follows from them: operators are asked
// at these sizes for types, for what they check beside sizes, and for data that are constant for all sizes.
//
// No sizes suit every network (strides need large ones, tables short ones, some inputs equal ones), hence
// several attempts, tried in order. They keep to what a solver takes for equal.

#include <optional>
#include <vector>

#include "converter/ir/size/solver.h"

namespace micrort::ir::size {

class Witness {
 public:
  static size_t attempts();
  // The first attempt in which symbols of one kind have one size.
  static size_t attempt_of_equal_sizes();

  // leading: met as an outermost dimension, so most likely a batch.
  void AddFree(Symbol symbol, bool leading);
  // The size that an operator computed; until it is set, there is none.
  void SetComputed(Symbol symbol, int64_t size);

  // Whether an operator computes its size.
  bool IsComputed(Symbol symbol) const;
  std::optional<int64_t> SizeOf(Symbol symbol) const;

  size_t attempt() const { return attempt_; }
  void MoveTo(size_t attempt) { attempt_ = attempt; }

  std::optional<int64_t> SizeOf(const Expr& e, const Solver& likely) const;
  // Of the symbols that were made free, but for the first ones.
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
  size_t attempt_ = 0;
};

}  // namespace micrort::ir::size
