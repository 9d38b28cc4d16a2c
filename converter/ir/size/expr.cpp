#include "converter/ir/size/expr.h"

#include <algorithm>
#include <numeric>

#include "converter/ir/size/make_atom.h"
#include "kernels/base/checked_math.h"

namespace micrort::ir::size {

namespace {

// Larger ones are unknown: shape computations have a few terms, and products of sums grow without end.
constexpr size_t kMaxTerms = 64;
constexpr size_t kMaxFactors = 16;

int OrderOf(const std::vector<AtomPtr>& a, const std::vector<AtomPtr>& b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  for (size_t i = 0; i < a.size(); ++i) {
    if (const int order = OrderOfAtoms(a[i], b[i]); order != 0) return order;
  }
  return 0;
}

bool IsTest(const AtomPtr& atom) {
  return atom->kind == AtomKind::kIsZero || atom->kind == AtomKind::kIsNonNegative;
}

// A test is its own square.
std::vector<AtomPtr> Product(const std::vector<AtomPtr>& a, const std::vector<AtomPtr>& b) {
  std::vector<AtomPtr> product;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(product),
             [](const AtomPtr& x, const AtomPtr& y) { return OrderOfAtoms(x, y) < 0; });
  const auto same_test = [](const AtomPtr& x, const AtomPtr& y) {
    return IsTest(x) && OrderOfAtoms(x, y) == 0;
  };
  product.erase(std::unique(product.begin(), product.end(), same_test), product.end());
  return product;
}

}  // namespace

int OrderOfAtoms(const AtomPtr& a, const AtomPtr& b) {
  if (a == b) return 0;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  if (a->kind == AtomKind::kSymbol) {
    if (a->symbol == b->symbol) return 0;
    return a->symbol < b->symbol ? -1 : 1;
  }
  if (a->arguments.size() != b->arguments.size()) return a->arguments.size() < b->arguments.size() ? -1 : 1;
  for (size_t i = 0; i < a->arguments.size(); ++i) {
    if (const int order = Expr::Order(a->arguments[i], b->arguments[i]); order != 0) return order;
  }
  return 0;
}

Expr AtomExpr(AtomKind kind, std::vector<Expr> arguments) {
  Atom atom = {kind, {}, std::move(arguments)};
  for (const Expr& argument : atom.arguments) {
    if (argument.is_unknown()) return argument;
    for (const Expr::Term& term : argument.terms()) {
      for (const AtomPtr& inner : term.factors) {
        atom.depth = std::max(atom.depth, 1 + inner->depth);
        atom.count = std::min(atom.count + inner->count, kMaxAtoms + 1);
      }
    }
  }
  if (atom.depth > kMaxDepth || atom.count > kMaxAtoms) return Expr::Unknown();
  atom.range = RangeOfAtom(atom);
  return Expr::Of({{{std::make_shared<const Atom>(std::move(atom))}, 1}});
}

int64_t CommonFactor(Span<const Expr::Term> terms) {
  int64_t factor = 0;
  for (const Expr::Term& term : terms) factor = std::gcd(factor, term.coefficient);
  return factor;
}

Expr::Expr(int64_t value) : constant_({{}, value}) {}

Expr::Expr(Symbol symbol) {
  Atom atom = {AtomKind::kSymbol, symbol, {}};
  atom.range = RangeOfAtom(atom);
  Terms terms = {{{std::make_shared<const Atom>(std::move(atom))}, 1}};
  sum_ = std::make_shared<const Sum>(Sum{std::move(terms)});
}

Expr Expr::Unknown() { return Expr(kUnknown); }

Expr Expr::Of(Terms terms) {
  std::sort(terms.begin(), terms.end(),
            [](const Term& a, const Term& b) { return OrderOf(a.factors, b.factors) < 0; });
  Terms sum;
  for (Term& term : terms) {
    if (sum.empty() || OrderOf(sum.back().factors, term.factors) != 0) {
      if (!sum.empty() && sum.back().coefficient == 0) sum.pop_back();
      sum.push_back(std::move(term));
    } else if (!CheckedAdd(sum.back().coefficient, term.coefficient, &sum.back().coefficient)) {
      return Unknown();
    }
  }
  if (!sum.empty() && sum.back().coefficient == 0) sum.pop_back();
  if (sum.size() > kMaxTerms) return Unknown();
  if (sum.empty()) return Expr(0);
  if (sum.size() == 1 && sum[0].factors.empty()) return Expr(sum[0].coefficient);
  Expr result;
  result.sum_ = std::make_shared<const Sum>(Sum{std::move(sum)});
  return result;
}

std::optional<int64_t> Expr::constant() const {
  if (sum_ != nullptr || is_unknown()) return std::nullopt;
  return constant_.coefficient;
}

std::optional<Symbol> Expr::symbol() const {
  if (sum_ == nullptr || sum_->terms.size() != 1) return std::nullopt;
  const Term& term = sum_->terms.front();
  const bool is_symbol =
      term.coefficient == 1 && term.factors.size() == 1 && term.factors[0]->kind == AtomKind::kSymbol;
  if (!is_symbol) return std::nullopt;
  return term.factors[0]->symbol;
}

Span<const Expr::Term> Expr::terms() const& {
  if (sum_ != nullptr) return sum_->terms;
  if (is(0) || is_unknown()) return {};
  return {&constant_, 1};
}

void Expr::AddSymbols(std::set<Symbol>* symbols) const {
  if (sum_ == nullptr) return;
  for (const Term& term : sum_->terms) {
    for (const AtomPtr& atom : term.factors) {
      if (atom->kind == AtomKind::kSymbol) symbols->insert(atom->symbol);
      for (const Expr& argument : atom->arguments) argument.AddSymbols(symbols);
    }
  }
}

bool Expr::operator==(const Expr& o) const {
  return !is_unknown() && !o.is_unknown() && Order(*this, o) == 0;
}

int Expr::Order(const Expr& a, const Expr& b) {
  if (a.sum_ == b.sum_) {
    const int64_t x = a.constant_.coefficient, y = b.constant_.coefficient;
    return x == y ? 0 : (x < y ? -1 : 1);
  }
  if (a.sum_ == nullptr || b.sum_ == nullptr) return a.sum_ == nullptr ? -1 : 1;
  const Terms &left = a.sum_->terms, &right = b.sum_->terms;
  if (left.size() != right.size()) return left.size() < right.size() ? -1 : 1;
  for (size_t i = 0; i < left.size(); ++i) {
    const Term &x = left[i], &y = right[i];
    if (const int order = OrderOf(x.factors, y.factors); order != 0) return order;
    if (x.coefficient != y.coefficient) return x.coefficient < y.coefficient ? -1 : 1;
  }
  return 0;
}

Expr operator+(const Expr& a, const Expr& b) {
  if (a.is_unknown() || b.is_unknown()) return Expr::Unknown();
  if (a.is(0)) return b;
  if (b.is(0)) return a;
  if (a.sum_ == nullptr && b.sum_ == nullptr) {
    int64_t sum = 0;
    return CheckedAdd(a.constant_.coefficient, b.constant_.coefficient, &sum) ? Expr(sum) : Expr::Unknown();
  }
  Expr::Terms terms(a.terms().begin(), a.terms().end());
  terms.insert(terms.end(), b.terms().begin(), b.terms().end());
  return Expr::Of(std::move(terms));
}

Expr operator*(const Expr& a, const Expr& b) {
  if (a.is_unknown() || b.is_unknown()) return Expr::Unknown();
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  const Span<const Expr::Term> left = a.terms(), right = b.terms();
  if (left.size() * right.size() > kMaxTerms * 4) return Expr::Unknown();
  Expr::Terms terms;
  for (const Expr::Term& x : left) {
    for (const Expr::Term& y : right) {
      Expr::Term term = {Product(x.factors, y.factors), 0};
      if (term.factors.size() > kMaxFactors || !CheckedMul(x.coefficient, y.coefficient, &term.coefficient)) {
        return Expr::Unknown();
      }
      terms.push_back(std::move(term));
    }
  }
  return Expr::Of(std::move(terms));
}

}  // namespace micrort::ir::size
