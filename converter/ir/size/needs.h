#pragma once
// What operators need of sizes in order to run, beside what holds for all sizes (Solver): windows that fit,
// broadcasts of sizes that are alike or 1. They say which sizes an operator can be asked with, and decide
// nothing that is written to a file.

#include <utility>

#include "converter/ir/size/expr.h"
#include "converter/ir/size/shared_table.h"

namespace micrort::ir::size {

struct Need {
  enum class Kind {
    kEqual,
    kAtMost,     // a is b at most
    kBroadcast,  // both are equal, or one is 1
  };
  Kind kind = Kind::kEqual;
  Expr a, b;
};

// Copies share what they have in common.
class Needs {
 public:
  void Add(Need need) { needs_.At(count_++) = std::move(need); }
  void Clear() { *this = Needs(); }
  int count() const { return count_; }
  const Need& at(int i) const { return *needs_.Find(i); }

 private:
  SharedTable<Need> needs_;
  int count_ = 0;
};

}  // namespace micrort::ir::size
