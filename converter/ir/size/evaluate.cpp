// What becomes of expressions when symbols are replaced: by expressions, by numbers, by names.

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "converter/ir/size/expr.h"
#include "converter/ir/size/make_atom.h"
#include "kernels/base/checked_math.h"

namespace micrort::ir::size {

namespace {

Expr Make(AtomKind kind, const std::vector<Expr>& arguments) {
  switch (kind) {
    case AtomKind::kFloorDiv:
      return FloorDiv(arguments[0], arguments[1]);
    case AtomKind::kPositivePart:
      return Max(arguments[0], 0);
    case AtomKind::kIsZero:
      return IsZero(arguments[0]);
    case AtomKind::kIsNonNegative:
      return IsNonNegative(arguments[0]);
    case AtomKind::kBroadcast:
    case AtomKind::kSymbol:
      break;
  }
  Expr size = 1;
  for (const Expr& argument : arguments) size = Broadcast(size, argument);
  return size;
}

// What was replaced already is not replaced again where expressions share it.
class Substitution {
 public:
  explicit Substitution(const std::function<const Expr*(Symbol)>& of) : of_(of) {}

  Expr Of(const Expr& a) {
    if (a.is_unknown() || a.constant()) return a;
    Expr sum;
    for (const Expr::Term& term : a.terms()) {
      Expr product(term.coefficient);
      for (const AtomPtr& atom : term.factors) product = product * Of(atom);
      sum = sum + product;
    }
    return sum;
  }

 private:
  const Expr& Of(const AtomPtr& atom) {
    const auto found = done_.find(atom.get());
    return found != done_.end() ? found->second : done_.emplace(atom.get(), Replaced(atom)).first->second;
  }
  Expr Replaced(const AtomPtr& atom) {
    if (atom->kind == AtomKind::kSymbol) {
      const Expr* replacement = of_(atom->symbol);
      return replacement != nullptr ? *replacement : Expr::Of({{{atom}, 1}});
    }
    std::vector<Expr> arguments;
    bool is_same = true;
    for (const Expr& argument : atom->arguments) {
      arguments.push_back(Of(argument));
      is_same = is_same && arguments.back() == argument;
    }
    return is_same ? Expr::Of({{{atom}, 1}}) : Make(atom->kind, arguments);
  }

  const std::function<const Expr*(Symbol)>& of_;
  std::unordered_map<const Atom*, Expr> done_;
};

using Values = std::function<std::optional<int64_t>(Symbol)>;

// Computes each atom once, however many expressions share it.
class Evaluation {
 public:
  explicit Evaluation(const Values& of) : of_(of) {}

  std::optional<int64_t> Of(const Expr& a) {
    if (a.is_unknown()) return std::nullopt;
    int64_t sum = 0;
    for (const Expr::Term& term : a.terms()) {
      int64_t product = term.coefficient;
      for (const AtomPtr& atom : term.factors) {
        const std::optional<int64_t> value = Of(*atom);
        if (!value || !CheckedMul(product, *value, &product)) return std::nullopt;
      }
      if (!CheckedAdd(sum, product, &sum)) return std::nullopt;
    }
    return sum;
  }

 private:
  std::optional<int64_t> Of(const Atom& atom) {
    if (atom.kind == AtomKind::kSymbol) return of_(atom.symbol);
    const auto found = done_.find(&atom);
    return found != done_.end() ? found->second : done_.emplace(&atom, Compute(atom)).first->second;
  }

  std::optional<int64_t> Compute(const Atom& atom) {
    if (atom.kind == AtomKind::kBroadcast) return BroadcastOf(atom);
    const std::optional<int64_t> a = Of(atom.arguments[0]);
    if (!a) return std::nullopt;
    switch (atom.kind) {
      case AtomKind::kPositivePart:
        return std::max<int64_t>(*a, 0);
      case AtomKind::kIsZero:
        return *a == 0 ? 1 : 0;
      case AtomKind::kIsNonNegative:
        return *a >= 0 ? 1 : 0;
      case AtomKind::kFloorDiv:
      case AtomKind::kBroadcast:
      case AtomKind::kSymbol:
        break;
    }
    const std::optional<int64_t> b = Of(atom.arguments[1]);
    const bool is_defined = b && *b != 0 && !(*a == INT64_MIN && *b == -1);
    return is_defined ? std::optional<int64_t>(FloorOf(*a, *b)) : std::nullopt;
  }

  // The first that is not 1.
  std::optional<int64_t> BroadcastOf(const Atom& atom) {
    int64_t size = 1;
    for (const Expr& argument : atom.arguments) {
      const std::optional<int64_t> value = Of(argument);
      if (!value || *value < 0) return std::nullopt;
      if (size == 1) size = *value;
    }
    return size;
  }

  const Values& of_;
  std::unordered_map<const Atom*, std::optional<int64_t>> done_;
};

// Divisors of the floors at the top of an expression, all in one.
int64_t Period(const Expr& e) {
  int64_t period = 1;
  for (const Expr::Term& term : e.terms()) {
    for (const AtomPtr& atom : term.factors) {
      if (atom->kind != AtomKind::kFloorDiv) continue;
      const int64_t k = atom->arguments[1].constant().value_or(0);
      constexpr int64_t kMaxPeriod = 64;
      if (k <= 0 || k > kMaxPeriod || std::lcm(period, k) > kMaxPeriod) return 1;
      period = std::lcm(period, k);
    }
  }
  return period;
}

Proof CompareWithZero(const Expr& e) {
  if (e.is(0)) return Proof::kEqual;
  const Range range = e.range();
  return range.least > 0 || range.most < 0 || IsZero(e).is(0) ? Proof::kDifferent : Proof::kOpen;
}

// Whether floors meet: for every remainder that the symbols may leave, one by one.
Proof CompareByRemainders(const Expr& e) {
  const int64_t period = Period(e);
  std::set<Symbol> symbols;
  e.AddSymbols(&symbols);
  if (period == 1 || symbols.empty() || symbols.size() > 2) return Proof::kOpen;
  constexpr int64_t kMaxCases = 256;
  if (symbols.size() == 2 && period * period > kMaxCases) return Proof::kOpen;
  std::optional<Proof> all;
  const int64_t cases = symbols.size() == 2 ? period * period : period;
  for (int64_t i = 0; i < cases; ++i) {
    const Symbol first = *symbols.begin();
    const Expr a = Expr(period) * Expr(first) + Expr(i % period);
    const Expr b = Expr(period) * Expr(*symbols.rbegin()) + Expr(i / period);
    const Proof proof = CompareWithZero(Substitute(e, [&](Symbol s) { return s == first ? &a : &b; }));
    if (proof == Proof::kOpen || (all && *all != proof)) return Proof::kOpen;
    all = proof;
  }
  return *all;
}

}  // namespace

Expr Substitute(const Expr& a, const std::function<const Expr*(Symbol)>& of) {
  return Substitution(of).Of(a);
}

std::optional<int64_t> Evaluate(const Expr& a, const Values& of) { return Evaluation(of).Of(a); }

Proof Compare(const Expr& a, const Expr& b) {
  if (a == b) return Proof::kEqual;
  const Expr difference = a - b;
  if (difference.is_unknown()) return Proof::kOpen;
  const Proof proof = CompareWithZero(difference);
  return proof == Proof::kOpen ? CompareByRemainders(difference) : proof;
}

namespace {

std::string Grouped(const Expr& e, const std::function<std::string(Symbol)>& name_of) {
  const std::string text = TextOf(e, name_of);
  return e.terms().size() > 1 ? "(" + text + ")" : text;
}

std::string TextOfAtom(const Atom& atom, const std::function<std::string(Symbol)>& name_of) {
  if (atom.kind == AtomKind::kSymbol) return name_of(atom.symbol);
  std::string list;
  for (const Expr& argument : atom.arguments) list += (list.empty() ? "" : ", ") + TextOf(argument, name_of);
  switch (atom.kind) {
    case AtomKind::kFloorDiv:
      return "floor(" + Grouped(atom.arguments[0], name_of) + " / " + Grouped(atom.arguments[1], name_of) +
             ")";
    case AtomKind::kPositivePart:
      return "max(" + list + ", 0)";
    case AtomKind::kIsZero:
      return "(" + list + " == 0)";
    case AtomKind::kIsNonNegative:
      return "(" + list + " >= 0)";
    case AtomKind::kBroadcast:
    case AtomKind::kSymbol:
      break;
  }
  return "broadcast(" + list + ")";
}

}  // namespace

std::string TextOf(const Expr& a, const std::function<std::string(Symbol)>& name_of) {
  if (a.is_unknown()) return "?";
  if (const std::optional<int64_t> value = a.constant()) return std::to_string(*value);
  std::string text;
  for (size_t i = a.terms().size(); i-- > 0;) {
    const Expr::Term& term = a.terms()[i];
    std::string product;
    const int64_t coefficient = term.coefficient;
    const bool is_unit = (coefficient == 1 || coefficient == -1) && !term.factors.empty();
    if (!is_unit) product = std::to_string(coefficient < 0 ? -coefficient : coefficient);
    for (const AtomPtr& atom : term.factors)
      product += (product.empty() ? "" : "*") + TextOfAtom(*atom, name_of);
    const char* sign = coefficient < 0 ? (text.empty() ? "-" : " - ") : (text.empty() ? "" : " + ");
    text += sign + product;
  }
  return text;
}

}  // namespace micrort::ir::size
