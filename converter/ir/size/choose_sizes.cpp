#include "converter/ir/size/choose_sizes.h"

#include <algorithm>
#include <map>
#include <set>

namespace micrort::ir::size {

namespace {

// By depth first search over the numbers that each symbol may have; where a need has one symbol left, that
// one keeps the numbers which meet it. The symbol with the fewest numbers comes first.
class Chooser {
 public:
  Chooser(const std::vector<Need>& needs, const Witness& witness) : witness_(witness) {
    for (const Need& need : needs) Add(need);
  }

  std::optional<ChosenSizes> Choose() {
    // Each symbol may have the numbers of all: a model of thousands of symbols would take their square.
    constexpr size_t kMostNumbers = size_t{1} << 18;
    if (variables_.size() * (variables_.size() + thresholds_.size()) > kMostNumbers) return std::nullopt;
    MakeNumbers();
    if (!SearchAll()) return std::nullopt;
    ChosenSizes chosen;
    for (const Variable& v : variables_) chosen.emplace_back(v.symbol, *v.value);
    return chosen;
  }

 private:
  struct Variable {
    Symbol symbol;
    std::vector<int64_t> numbers;  // in the order in which they are tried
    std::vector<size_t> needs;     // in which it is
    std::optional<int64_t> value = std::nullopt;
  };
  struct Constraint {
    Need need;
    std::vector<size_t> variables;
  };

  void Add(const Need& need) {
    std::set<Symbol> symbols;
    need.a.AddSymbols(&symbols);
    need.b.AddSymbols(&symbols);
    if (need.a.is_unknown() || need.b.is_unknown()) return;
    Constraint constraint = {need, {}};
    for (const Symbol symbol : symbols) {
      if (witness_.IsComputed(symbol)) continue;
      const auto [place, is_new] = places_.emplace(symbol, variables_.size());
      if (is_new) variables_.push_back({symbol, {}, {}});
      constraint.variables.push_back(place->second);
    }
    if (constraint.variables.empty()) return;
    for (const size_t v : constraint.variables) variables_[v].needs.push_back(constraints_.size());
    AddThresholds(need.a);
    AddThresholds(need.b);
    constraints_.push_back(std::move(constraint));
  }

  // Beside the numbers in an expression it changes its ways.
  void AddThresholds(const Expr& e) {
    constexpr int64_t kMost = 4096;
    for (const Expr::Term& term : e.terms()) {
      const int64_t number = std::abs(term.coefficient);
      if (number > 1 && number <= kMost) thresholds_.insert({number - 1, number, number + 1});
      for (const AtomPtr& atom : term.factors) {
        for (const Expr& argument : atom->arguments) AddThresholds(argument);
      }
    }
  }

  // The size that is preferred, or that another symbol has, then small ones, none at all last.
  void MakeNumbers() {
    constexpr int64_t kSmall = 24;
    for (int64_t n = 1; n <= kSmall; ++n) thresholds_.insert(n);
    std::vector<int64_t> preferred;
    for (const Variable& v : variables_) preferred.push_back(PreferredFor(v.symbol));
    for (size_t i = 0; i < variables_.size(); ++i) {
      std::vector<int64_t>& numbers = variables_[i].numbers;
      numbers = {preferred[i]};
      numbers.insert(numbers.end(), preferred.begin(), preferred.end());
      numbers.insert(numbers.end(), thresholds_.begin(), thresholds_.end());
      numbers.push_back(0);
      if (variables_[i].symbol.may_be_negative) numbers.push_back(-1);
      std::set<int64_t> met;
      const auto is_met = [&](int64_t n) { return !met.insert(n).second; };
      numbers.erase(std::remove_if(numbers.begin(), numbers.end(), is_met), numbers.end());
    }
  }

  int64_t PreferredFor(Symbol symbol) const { return witness_.SizeOf(symbol).value_or(1); }

  std::optional<int64_t> ValueOf(Symbol symbol) const {
    const auto place = places_.find(symbol);
    return place == places_.end() ? witness_.SizeOf(symbol) : variables_[place->second].value;
  }

  // A need that cannot be computed holds: the operator itself will tell.
  bool Holds(const Need& need) {
    --budget_;
    const auto of = [this](Symbol s) { return ValueOf(s); };
    const std::optional<int64_t> a = Evaluate(need.a, of), b = Evaluate(need.b, of);
    if (!a || !b) return true;
    switch (need.kind) {
      case Need::Kind::kEqual:
        return *a == *b;
      case Need::Kind::kAtMost:
        return *a <= *b;
      case Need::Kind::kBroadcast:
        break;
    }
    return *a == *b || *a == 1 || *b == 1;
  }

  bool HasOthersOpen(const Constraint& constraint, size_t variable) const {
    return std::any_of(constraint.variables.begin(), constraint.variables.end(),
                       [&](size_t v) { return v != variable && !variables_[v].value; });
  }

  // Which of the numbers meet what is decided by this symbol alone.
  std::vector<int64_t> Meeting(size_t variable, const std::vector<int64_t>& numbers) {
    Variable& v = variables_[variable];
    std::vector<const Need*> decided;
    for (const size_t c : v.needs) {
      if (!HasOthersOpen(constraints_[c], variable)) decided.push_back(&constraints_[c].need);
    }
    std::vector<int64_t> meeting;
    for (const int64_t number : numbers) {
      if (budget_ <= 0) break;
      v.value = number;
      if (std::all_of(decided.begin(), decided.end(), [&](const Need* n) { return Holds(*n); }))
        meeting.push_back(number);
    }
    v.value.reset();
    return meeting;
  }

  // Where none of a few numbers is left, the least of many.
  bool Narrow(size_t variable) {
    std::vector<int64_t>& numbers = variables_[variable].numbers;
    std::vector<int64_t> left = Meeting(variable, numbers);
    constexpr int64_t kMost = 1024;
    for (int64_t n = 1; looks_at_many_ && left.empty() && n <= kMost && budget_ > 0; ++n)
      left = Meeting(variable, {n});
    numbers = std::move(left);
    return !numbers.empty();
  }

  // Many numbers of one symbol take what is left for those of others, so they come when the few do not do.
  bool SearchAll() {
    const std::vector<Variable> before = variables_;
    if (Search()) return true;
    variables_ = before;
    budget_ = kMostEvaluated;
    looks_at_many_ = true;
    return Search();
  }

  bool Search() {
    size_t next = variables_.size();
    for (size_t i = 0; i < variables_.size(); ++i) {
      if (variables_[i].value) continue;
      if (!Narrow(i)) return false;
      if (next == variables_.size() || variables_[i].numbers.size() < variables_[next].numbers.size())
        next = i;
    }
    if (next == variables_.size()) return true;
    for (const Variable& v : variables_) copies_ -= static_cast<int64_t>(v.numbers.size() + v.needs.size());
    if (copies_ <= 0) return false;
    const std::vector<Variable> before = variables_;
    for (const int64_t number : before[next].numbers) {
      variables_ = before;
      variables_[next].value = number;
      if (Search()) return true;
      if (budget_ <= 0 || copies_ <= 0) return false;
    }
    return false;
  }

  const Witness& witness_;
  std::map<Symbol, size_t> places_;  // in variables_
  std::vector<Variable> variables_;
  std::vector<Constraint> constraints_;
  std::set<int64_t> thresholds_;
  static constexpr int64_t kMostEvaluated = 20000;
  int64_t budget_ = kMostEvaluated;  // needs that are still evaluated
  bool looks_at_many_ = false;
  int64_t copies_ = int64_t{1} << 22;  // numbers that are still copied, for one may be tried after another
};

}  // namespace

std::optional<ChosenSizes> ChooseSizes(const std::vector<Need>& needs, const Witness& witness) {
  return Chooser(needs, witness).Choose();
}

}  // namespace micrort::ir::size
