#pragma once
// What is known of the symbols of a model: which are equal to what, because an operator runs in no other
// case.

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "converter/ir/size/expr.h"

namespace micrort::ir::size {

// The symbols of one model, by id; those without a name have "".
class SymbolTable {
 public:
  Symbol Add(const std::string& name, bool may_be_negative = false) {
    names_.push_back(name);
    return {static_cast<int>(names_.size()) - 1, may_be_negative};
  }
  size_t count() const { return names_.size(); }
  const std::string& NameOf(Symbol symbol) const { return names_[static_cast<size_t>(symbol.id)]; }

 private:
  std::vector<std::string> names_;
};

// Copies share what they know until one of them learns more.
class Solver {
 public:
  // The table outlives all copies.
  explicit Solver(SymbolTable* symbols);

  // With everything known of its symbols put in their place.
  Expr Resolve(const Expr& e) const;
  Proof Compare(const Expr& a, const Expr& b) const { return size::Compare(Resolve(a), Resolve(b)); }
  bool AreEqual(const Expr& a, const Expr& b) const { return Compare(a, b) == Proof::kEqual; }

  // Takes for granted that both are equal, since nothing runs where they are not. False if they never are.
  // What cannot be solved for a symbol is kept as a relation.
  bool RequireEqual(const Expr& a, const Expr& b);
  // For sizes that are tried: gives the symbols of an equation small numbers for which it holds, if there are
  // such.
  bool GuessFor(const std::pair<Expr, Expr>& equation);
  // Counts what was learned of symbols.
  int version() const { return state_->version; }

  using Relation = std::pair<Expr, Expr>;
  // Equations that nothing was learned from.
  const std::vector<Relation>& relations() const { return state_->relations; }

  // For messages: in the names of symbols; those without one are "?".
  std::string TextOf(const Expr& e) const;
  // See ir::Value::dim_names: equal for equal expressions alone.
  std::string DimName(const Expr& e) const;

 private:
  struct State {
    std::map<int, Expr> bindings;  // by id, resolved
    std::vector<Relation> relations;
    int version = 0;
  };
  State& Mutable();
  void Bind(Symbol symbol, const Expr& value);
  bool BindLinear(const Expr& e);
  // Both: whether something was bound; *refuted: the expression is never 0.
  bool BindMultiple(const Expr& e, bool* refuted);
  bool BindRemainder(const Expr& e, bool* refuted);
  bool Solve(const Expr& e, bool* refuted);

  SymbolTable* symbols_;
  std::shared_ptr<State> state_;
};

}  // namespace micrort::ir::size
