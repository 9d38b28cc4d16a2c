#pragma once
// What operators require of the sizes of a graph's inputs.

#include <map>
#include <string>
#include <vector>

#include "converter/ir/size/solver.h"

namespace micrort::ir::size {

// In the order of dimensions that the source has.
struct InputDim {
  std::string input;
  int dim = 0;
};

// A dimension that the source leaves open, and that runs with one size only.
struct FixedDim {
  InputDim at;
  std::string name;  // "" where it has none
  int64_t size = 0;
  std::string node;  // that needs it
};

// Both sides are equal in every run. Where the left one is a symbol, and no part of the right one, the
// dimension follows from others.
struct SizeRule {
  Expr left, right;
  std::string text;  // "total = past + new"
  std::string node;  // that needs it
};

struct InputSizes {
  std::vector<FixedDim> fixed;
  std::vector<SizeRule> rules;
  std::map<Symbol, InputDim> places;  // of the symbols in rules
};

// Whether a file can state that this is 0: its rules are bounded (runtime/model/size_rules.h).
bool FitsRule(const Expr& zero);

// An open dimension of an input, with the symbol that stands for it: one of the same name has the same.
struct OpenDim {
  InputDim at;
  Symbol symbol;
};

// Names of symbols are those of the table; a dimension without a name is called "x[1]".
InputSizes SizesOfInputs(const std::vector<OpenDim>& dims, const SymbolTable& symbols, const Solver& known);

}  // namespace micrort::ir::size
