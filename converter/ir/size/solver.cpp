#include "converter/ir/size/solver.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <optional>
#include <set>

#include "converter/ir/size/make_atom.h"

namespace micrort::ir::size {

namespace {

std::set<Symbol> SymbolsOf(const Expr& e) {
  std::set<Symbol> symbols;
  e.AddSymbols(&symbols);
  return symbols;
}

// e = coefficient * symbol + rest, where the rest does not contain the symbol.
struct Linear {
  Symbol symbol;
  int64_t coefficient;
  Expr rest;
};

// "=" begins what inference says.
bool IsDimName(const std::string& name) {
  return !name.empty() && name[0] != '=' && name.find('\'') == std::string::npos;
}

std::vector<Linear> LinearSymbols(const Expr& e) {
  std::vector<Linear> found;
  const Span<const Expr::Term> terms = e.terms();
  for (size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].factors.size() != 1 || terms[i].factors[0]->kind != AtomKind::kSymbol) continue;
    const Symbol symbol = terms[i].factors[0]->symbol;
    Expr::Terms others(terms.begin(), terms.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const Expr rest = Expr::Of(std::move(others));
    if (SymbolsOf(rest).count(symbol) == 0) found.push_back({symbol, terms[i].coefficient, rest});
  }
  return found;
}

// Without the symbols that all terms have as factors: where these are not 0, the rest has to be.
Expr WithoutCommonFactors(const Expr& e) {
  Expr result = e;
  for (const Symbol symbol : SymbolsOf(e)) {
    while (const std::optional<Expr> quotient = Divide(result, Expr(symbol))) result = *quotient;
  }
  return result;
}

// Divisors of floors that contain the symbol.
int64_t PeriodOf(const Expr& e, Symbol symbol) {
  int64_t period = 1;
  for (const Expr::Term& term : e.terms()) {
    for (const AtomPtr& atom : term.factors) {
      if (atom->kind != AtomKind::kFloorDiv || SymbolsOf(atom->arguments[0]).count(symbol) == 0) continue;
      constexpr int64_t kMaxPeriod = 64;
      const int64_t k = atom->arguments[1].constant().value_or(0);
      if (k <= 0 || k > kMaxPeriod || std::lcm(period, k) > kMaxPeriod) return 1;
      period = std::lcm(period, k);
    }
  }
  return period;
}

}  // namespace

Solver::Solver(SymbolTable* symbols) : symbols_(symbols), state_(std::make_shared<State>()) {}

Solver::State& Solver::Mutable() {
  if (state_.use_count() > 1) state_ = std::make_shared<State>(*state_);
  return *state_;
}

Expr Solver::Resolve(const Expr& e) const {
  const auto& bindings = state_->bindings;
  if (bindings.empty() || e.is_unknown() || e.constant()) return e;
  const auto binding_of = [&](Symbol s) -> const Expr* {
    const Binding* found = bindings.Find(s.id);
    return found == nullptr ? nullptr : &found->value;
  };
  const std::set<Symbol> symbols = SymbolsOf(e);
  const bool is_resolved =
      std::all_of(symbols.begin(), symbols.end(), [&](Symbol s) { return binding_of(s) == nullptr; });
  return is_resolved ? e : Substitute(e, binding_of);
}

void Solver::SetBinding(int id, const Expr& value, const std::string& why) {
  State& state = Mutable();
  state.bindings.At(id) = {value, why};
  state.learned.At(++state.version) = id;
  state.is_checked = false;
  for (const Symbol inner : SymbolsOf(value)) state.bound_by.At(inner.id).push_back(id);
}

void Solver::Bind(Symbol symbol, const Expr& value, const std::string& why) {
  const auto of = [&](Symbol s) { return s == symbol ? &value : nullptr; };
  if (const std::vector<int>* others = state_->bound_by.Find(symbol.id)) {
    for (const int id : std::vector<int>(*others)) {
      const Expr& bound = state_->bindings.Find(id)->value;
      const Expr resolved = Substitute(bound, of);
      if (!(resolved == bound)) SetBinding(id, resolved, why);
    }
  }
  SetBinding(symbol.id, value, why);
}

std::string Solver::WhyOf(Symbol symbol) const {
  const Binding* found = state_->bindings.Find(symbol.id);
  return found == nullptr ? "" : found->why;
}

// What one stands for may be a multiple of another.
Expr Solver::WithoutMultiples(const Expr& e) const {
  const auto& multiples = state_->multiples;
  Expr result = e;
  for (size_t i = 0; i < multiples.size(); ++i) {
    result = Substitute(result, [&](Symbol s) -> const Expr* {
      const auto found = multiples.find(s.id);
      return found == multiples.end() ? nullptr : &found->second;
    });
  }
  return result;
}

bool Solver::FollowsFromInputs(const Expr& e) const {
  std::set<Symbol> symbols;
  WithoutMultiples(Resolve(e)).AddSymbols(&symbols);
  return std::all_of(symbols.begin(), symbols.end(), [this](Symbol s) { return symbols_->IsOfInput(s); });
}

// The symbol that is left of a sum is what the rest says, if that is never negative. Symbols with a name are
// kept, then older ones, which are dimensions of inputs.
bool Solver::BindLinear(const Relation& zero) {
  std::optional<Linear> best;
  const auto rank_of = [&](const Linear& l) {
    return std::make_pair(symbols_->NameOf(l.symbol).empty(), l.symbol.id);
  };
  for (const Linear& candidate : LinearSymbols(zero.a)) {
    if (candidate.coefficient != 1 && candidate.coefficient != -1) continue;
    const Expr value = Expr(-candidate.coefficient) * candidate.rest;
    if (!candidate.symbol.may_be_negative && value.range().least < 0) continue;
    if (!best || rank_of(candidate) > rank_of(*best)) best = candidate;
  }
  if (!best) return false;
  Bind(best->symbol, Expr(-best->coefficient) * best->rest, zero.why);
  return true;
}

// k x = c.
bool Solver::BindMultiple(const Relation& zero, bool* refuted) {
  const std::vector<Linear> found = LinearSymbols(zero.a);
  if (found.size() != 1 || !found[0].rest.constant()) return false;
  const int64_t product = -*found[0].rest.constant();
  *refuted = product % found[0].coefficient != 0 ||
             (!found[0].symbol.may_be_negative && product / found[0].coefficient < 0);
  if (!*refuted) Bind(found[0].symbol, product / found[0].coefficient, zero.why);
  return true;
}

// Floors meet only for symbols that leave one remainder: 2 * ceil(x / 2) = x says that x is even.
bool Solver::BindRemainder(const Relation& zero, bool* refuted) {
  for (const Symbol symbol : SymbolsOf(zero.a)) {
    const int64_t period = PeriodOf(zero.a, symbol);
    if (period == 1) continue;
    std::vector<int64_t> fitting;
    bool is_open = false;
    for (int64_t r = 0; r < period && !is_open; ++r) {
      const Expr value = Expr(period) * Expr(symbol) + Expr(r);
      const Proof proof =
          size::Compare(Substitute(zero.a, [&](Symbol s) { return s == symbol ? &value : nullptr; }), 0);
      is_open = proof == Proof::kOpen;
      if (proof == Proof::kEqual) fitting.push_back(r);
    }
    if (is_open) continue;
    *refuted = fitting.empty();
    if (*refuted) return true;
    const auto count = static_cast<int64_t>(fitting.size());
    const int64_t step = period / count;
    bool is_progression = period % count == 0;
    for (size_t i = 0; i < fitting.size(); ++i) {
      is_progression &= fitting[i] == fitting[0] + static_cast<int64_t>(i) * step;
    }
    if (!is_progression) continue;
    const Symbol multiple = symbols_->Add("", symbol.may_be_negative);
    Bind(symbol, Expr(step) * Expr(multiple) + Expr(fitting[0]), zero.why);
    Mutable().multiples.emplace(multiple.id, FloorDiv(Expr(symbol) - Expr(fitting[0]), step));
    return true;
  }
  return false;
}

bool Solver::Solve(const Relation& zero, bool* refuted) {
  return BindMultiple(zero, refuted) || BindLinear(zero) || BindRemainder(zero, refuted);
}

// What is learned later may contradict an equation that nothing was learned from.
bool Solver::HoldsNever() {
  if (state_->is_checked) return state_->holds_never;
  State& state = Mutable();
  state.is_checked = true;
  state.holds_never = std::any_of(state.relations.begin(), state.relations.end(), [this](const Relation& r) {
    return Compare(r.a, r.b) == Proof::kDifferent;
  });
  return state.holds_never;
}

bool Solver::RequireEqual(const Expr& a, const Expr& b, const std::string& why) {
  if (a.is_unknown() || b.is_unknown()) return true;
  const Expr difference = Resolve(a) - Resolve(b);
  if (difference.is_unknown()) return true;
  const Proof proof = size::Compare(difference, 0);
  if (proof != Proof::kOpen) return proof == Proof::kEqual;
  Expr e = WithoutCommonFactors(difference);
  if (e.constant()) e = difference;
  if (const int64_t factor = CommonFactor(e.terms()); factor > 1) e = *Divide(e, factor);
  bool refuted = false;
  if (!Solve({e, 0, why}, &refuted)) Mutable().relations.push_back({Resolve(a), Resolve(b), why});
  return !refuted && !HoldsNever();
}

std::string Solver::TextOf(const Expr& e) const {
  return size::TextOf(Resolve(e), [&](Symbol s) {
    const std::string& name = symbols_->NameOf(s);
    return name.empty() ? std::string("?") : name;
  });
}

// Exporters name dimensions "past + 1", which says nothing: in expressions such names are quoted.
std::string Solver::DimName(const Expr& e) const {
  const Expr resolved = Resolve(e);
  const std::optional<Symbol> symbol = resolved.symbol();
  if (symbol && IsDimName(symbols_->NameOf(*symbol))) return symbols_->NameOf(*symbol);
  return "=" + size::TextOf(resolved, [&](Symbol s) {
           const std::string& name = symbols_->NameOf(s);
           if (!IsDimName(name)) return "?" + std::to_string(s.id);
           const bool is_plain = std::all_of(name.begin(), name.end(), [](char c) {
             return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
           });
           return is_plain ? name : "'" + name + "'";
         });
}

}  // namespace micrort::ir::size
