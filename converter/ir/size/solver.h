#pragma once
// What is known of the symbols of a model: which are equal to what, because an operator runs in no other
// case.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "converter/ir/size/expr.h"
#include "converter/ir/size/shared_table.h"

namespace micrort::ir::size {

// The symbols of one model, by id; those without a name have "".
class SymbolTable {
 public:
  Symbol Add(const std::string& name, bool may_be_negative = false) {
    names_.push_back(name);
    return {static_cast<int>(names_.size()) - 1, may_be_negative};
  }
  // Adds the symbol of a dimension of an input of the outermost graph.
  Symbol AddOfInput(const std::string& name) {
    of_inputs_ = names_.size() + 1;
    return Add(name);
  }
  bool IsOfInput(Symbol symbol) const { return static_cast<size_t>(symbol.id) < of_inputs_; }
  size_t count() const { return names_.size(); }
  // Those of inputs have the ids below this.
  size_t count_of_inputs() const { return of_inputs_; }
  const std::string& NameOf(Symbol symbol) const { return names_[static_cast<size_t>(symbol.id)]; }

 private:
  std::vector<std::string> names_;
  size_t of_inputs_ = 0;  // those come first
};

// Copies share what they know until one of them learns more.
class Solver {
 public:
  // The table outlives all copies.
  explicit Solver(SymbolTable* symbols);

  // With everything known of its symbols put in their place.
  Expr Resolve(const Expr& e) const;
  // Whether Resolve() makes anything else of the symbol.
  bool IsBound(Symbol symbol) const { return state_->bindings.Find(symbol.id) != nullptr; }
  Proof Compare(const Expr& a, const Expr& b) const { return size::Compare(Resolve(a), Resolve(b)); }
  bool AreEqual(const Expr& a, const Expr& b) const { return Compare(a, b) == Proof::kEqual; }

  struct Relation {
    Expr a, b;
    std::string why;
  };
  // Takes for granted that both are equal, since nothing runs where they are not. False if they never are.
  // What cannot be solved for a symbol is kept as a relation.
  //   why: what needs it, for messages.
  bool RequireEqual(const Expr& a, const Expr& b, const std::string& why = "");
  // Counts what was learned of symbols.
  int version() const { return state_->version; }
  // The symbol, by its id, of which something was learned as what made this version.
  int LearnedIn(int version) const { return *state_->learned.Find(version); }

  // Equations that nothing was learned from.
  const std::vector<Relation>& relations() const { return state_->relations; }
  // What made the symbol what Resolve() makes of it; "" where nothing did.
  std::string WhyOf(Symbol symbol) const;
  // With symbols that the solver made, each for a number of which another is a multiple, replaced by what
  // they stand for.
  Expr WithoutMultiples(const Expr& e) const;

  // Whether sizes of the graph's inputs decide it alone.
  bool FollowsFromInputs(const Expr& e) const;

  // For messages: in the names of symbols; those without one are "?".
  std::string TextOf(const Expr& e) const;
  // See ir::Value::dim_names: equal for equal expressions alone.
  std::string DimName(const Expr& e) const;

 private:
  struct Binding {
    Expr value;  // resolved
    std::string why;
  };
  struct State {
    SharedTable<Binding> bindings;           // by id
    SharedTable<std::vector<int>> bound_by;  // by id: symbols whose bindings have contained it
    SharedTable<int> learned;                // by version: the symbol of which something was learned
    std::map<int, Expr> multiples;           // by id of symbols that the solver made: what they stand for
    std::vector<Relation> relations;
    int version = 0;
    bool is_checked = true;  // holds_never is of the bindings as they are
    bool holds_never = false;
  };
  State& Mutable();
  void SetBinding(int id, const Expr& value, const std::string& why);
  void Bind(Symbol symbol, const Expr& value, const std::string& why);
  bool BindLinear(const Relation& zero);
  // Both: whether something was bound; *refuted: the expression is never 0.
  bool BindMultiple(const Relation& zero, bool* refuted);
  bool BindRemainder(const Relation& zero, bool* refuted);
  // Solves an equation whose right side is 0.
  bool Solve(const Relation& zero, bool* refuted);
  bool HoldsNever();

  SymbolTable* symbols_;
  std::shared_ptr<State> state_;
};

}  // namespace micrort::ir::size
