// What sizes are made of beside sums and products, each in one form.

#include <algorithm>
#include <numeric>

#include "converter/ir/size/expr.h"
#include "converter/ir/size/make_atom.h"

namespace micrort::ir::size {

namespace {

int64_t ConstantTermOf(Span<const Expr::Term> terms) {
  return !terms.empty() && terms[0].factors.empty() ? terms[0].coefficient : 0;
}

const Expr::Term& LastOf(Span<const Expr::Term> terms) { return terms[terms.size() - 1]; }

// The factor of all terms but the constant one.
int64_t FactorOfSymbols(Span<const Expr::Term> terms) {
  const size_t first = ConstantTermOf(terms) != 0 ? 1 : 0;
  return CommonFactor({terms.data() + first, terms.size() - first});
}

// Expressions and their negatives are told apart by the term that comes last.
bool IsReversed(Span<const Expr::Term> terms) { return !terms.empty() && LastOf(terms).coefficient < 0; }

// (e - its constant term) / factor + constant.
Expr Reduced(const Expr& e, int64_t factor, int64_t constant) {
  Expr::Terms terms(e.terms().begin(), e.terms().end());
  if (ConstantTermOf(terms) != 0) terms.erase(terms.begin());
  for (Expr::Term& term : terms) term.coefficient /= factor;
  return Expr::Of(std::move(terms)) + Expr(constant);
}

// The only factor of the only term beside the constant one, with its coefficient; null if there is no such.
const AtomPtr* LoneAtom(Span<const Expr::Term> terms, int64_t* coefficient) {
  if (terms.empty() || terms.size() > 2) return nullptr;
  const Expr::Term& last = LastOf(terms);
  if (last.factors.size() != 1 || (terms.size() == 2 && !terms[0].factors.empty())) return nullptr;
  *coefficient = last.coefficient;
  return &last.factors[0];
}

// What a function of a test is: its value for either result.
std::optional<Expr> OfTest(const Expr& e, Expr (*function)(const Expr&)) {
  const Span<const Expr::Term> terms = e.terms();
  int64_t coefficient = 0;
  const AtomPtr* atom = LoneAtom(terms, &coefficient);
  if (atom == nullptr) return std::nullopt;
  if ((*atom)->kind != AtomKind::kIsZero && (*atom)->kind != AtomKind::kIsNonNegative) return std::nullopt;
  const Expr offset(ConstantTermOf(terms));
  const Expr if_not = function(offset), if_so = function(offset + Expr(coefficient));
  return if_not + (if_so - if_not) * Expr::Of({{{*atom}, 1}});
}

Expr PositivePart(const Expr& e) {
  if (e.is_unknown()) return e;
  const Range range = e.range();
  if (range.least >= 0) return e;
  if (range.most <= 0) return 0;
  if (const std::optional<Expr> chosen = OfTest(e, PositivePart)) return *chosen;
  const Span<const Expr::Term> terms = e.terms();
  if (IsReversed(terms)) return e + PositivePart(-e);
  const int64_t factor = CommonFactor(terms);
  if (factor > 1) return Expr(factor) * PositivePart(Reduced(e, factor, ConstantTermOf(terms) / factor));
  return AtomExpr(AtomKind::kPositivePart, {e});
}

// floor((floor(e / m) + c) / k) is floor((e + m c) / (m k)).
std::optional<Expr> FlattenDivision(const Expr& a, int64_t k) {
  const Span<const Expr::Term> terms = a.terms();
  int64_t coefficient = 0;
  const AtomPtr* atom = LoneAtom(terms, &coefficient);
  if (atom == nullptr || coefficient != 1 || (*atom)->kind != AtomKind::kFloorDiv) return std::nullopt;
  const Expr& inner = (*atom)->arguments[1];
  if (inner.range().least <= 0 || !inner.constant()) return std::nullopt;
  return FloorDiv((*atom)->arguments[0] + inner * Expr(ConstantTermOf(terms)), inner * Expr(k));
}

Expr FloorDivBy(const Expr& a, int64_t k) {
  if (k == 0) return Expr::Unknown();
  if (k < 0) return k == INT64_MIN ? Expr::Unknown() : FloorDivBy(-a, -k);
  if (k == 1) return a;
  // Multiples of k leave the floor; what remains has coefficients from 0 to k - 1.
  Expr::Terms multiples, rest;
  for (const Expr::Term& term : a.terms()) {
    const int64_t quotient = FloorOf(term.coefficient, k);
    if (quotient != 0) multiples.push_back({term.factors, quotient});
    if (term.coefficient - quotient * k != 0) rest.push_back({term.factors, term.coefficient - quotient * k});
  }
  const Expr whole = Expr::Of(std::move(multiples));
  const Expr remainder = Expr::Of(rest);
  const Range range = remainder.range();
  if (FloorOf(range.least, k) == FloorOf(range.most, k)) return whole + Expr(FloorOf(range.least, k));
  if (const std::optional<Expr> flat = FlattenDivision(remainder, k)) return whole + *flat;
  const int64_t factor = std::gcd(FactorOfSymbols(rest), k);
  if (factor > 1) {
    const Expr reduced = Reduced(remainder, factor, FloorOf(ConstantTermOf(rest), factor));
    return whole + FloorDivBy(reduced, k / factor);
  }
  return whole + AtomExpr(AtomKind::kFloorDiv, {remainder, Expr(k)});
}

std::optional<Expr::Term> DivideTerm(const Expr::Term& a, const Expr::Term& b) {
  if (a.coefficient % b.coefficient != 0) return std::nullopt;
  Expr::Term quotient = {{}, a.coefficient / b.coefficient};
  auto divisor = b.factors.begin();
  for (const AtomPtr& atom : a.factors) {
    if (divisor != b.factors.end() && OrderOfAtoms(atom, *divisor) == 0) {
      ++divisor;
    } else {
      quotient.factors.push_back(atom);
    }
  }
  if (divisor != b.factors.end()) return std::nullopt;
  return quotient;
}

}  // namespace

// Long division by the last terms.
std::optional<Expr> Divide(const Expr& a, const Expr& b) {
  const Span<const Expr::Term> divisor = b.terms();
  if (a.is_unknown() || divisor.empty()) return std::nullopt;
  Expr quotient, rest = a;
  constexpr int kMaxSteps = 32;
  for (int step = 0; step < kMaxSteps && !rest.is(0); ++step) {
    if (rest.is_unknown()) return std::nullopt;
    const std::optional<Expr::Term> term = DivideTerm(LastOf(rest.terms()), LastOf(divisor));
    if (!term) return std::nullopt;
    quotient = quotient + Expr::Of({*term});
    rest = a - quotient * b;
  }
  if (!rest.is(0)) return std::nullopt;
  return quotient;
}

Expr FloorDiv(const Expr& a, const Expr& b) {
  if (a.is_unknown() || b.is_unknown()) return Expr::Unknown();
  if (const std::optional<int64_t> k = b.constant()) return FloorDivBy(a, *k);
  if (const std::optional<Expr> exact = Divide(a, b)) return *exact;
  const Span<const Expr::Term> divisor = b.terms();
  Expr::Terms multiples, rest;
  for (const Expr::Term& term : a.terms()) {
    const std::optional<Expr::Term> part = divisor.size() == 1 ? DivideTerm(term, divisor[0]) : std::nullopt;
    (part ? multiples : rest).push_back(part ? *part : term);
  }
  return Expr::Of(std::move(multiples)) + AtomExpr(AtomKind::kFloorDiv, {Expr::Of(std::move(rest)), b});
}

Expr CeilDiv(const Expr& a, const Expr& b) {
  return b.constant() && *b.constant() > 0 ? FloorDiv(a + b - 1, b) : -FloorDiv(-a, b);
}

Expr Modulo(const Expr& a, const Expr& b) { return a - b * FloorDiv(a, b); }

Expr Max(const Expr& a, const Expr& b) { return b + PositivePart(a - b); }

Expr Min(const Expr& a, const Expr& b) { return a - PositivePart(a - b); }

Expr IsZero(const Expr& e) {
  if (e.is_unknown()) return e;
  const Range range = e.range();
  if (e.is(0)) return 1;
  if (range.least > 0 || range.most < 0) return 0;
  if (const std::optional<Expr> chosen = OfTest(e, IsZero)) return *chosen;
  const Span<const Expr::Term> terms = e.terms();
  if (IsReversed(terms)) return IsZero(-e);
  const int64_t factor = FactorOfSymbols(terms);
  if (ConstantTermOf(terms) % factor != 0) return 0;
  if (factor > 1) return IsZero(Reduced(e, factor, ConstantTermOf(terms) / factor));
  return AtomExpr(AtomKind::kIsZero, {e});
}

Expr IsNonNegative(const Expr& e) {
  if (e.is_unknown()) return e;
  const Range range = e.range();
  if (range.least >= 0) return 1;
  if (range.most < 0) return 0;
  if (const std::optional<Expr> chosen = OfTest(e, IsNonNegative)) return *chosen;
  const Span<const Expr::Term> terms = e.terms();
  if (IsReversed(terms)) return Expr(1) - IsNonNegative(-e - 1);
  const int64_t factor = FactorOfSymbols(terms);
  if (factor > 1) return IsNonNegative(Reduced(e, factor, FloorOf(ConstantTermOf(terms), factor)));
  return AtomExpr(AtomKind::kIsNonNegative, {e});
}

Expr Choose(const Expr& condition, const Expr& a, const Expr& b) {
  if (condition.is(1)) return a;
  if (condition.is(0)) return b;
  return a == b ? a : b + condition * (a - b);
}

Expr Broadcast(const Expr& a, const Expr& b) {
  if (a.is_unknown() || b.is_unknown()) return Expr::Unknown();
  std::vector<Expr> sizes;
  for (const Expr& e : {a, b}) {
    const Span<const Expr::Term> terms = e.terms();
    int64_t coefficient = 0;
    const AtomPtr* atom = LoneAtom(terms, &coefficient);
    const bool is_broadcast =
        atom != nullptr && terms.size() == 1 && coefficient == 1 && (*atom)->kind == AtomKind::kBroadcast;
    if (is_broadcast) {
      sizes.insert(sizes.end(), (*atom)->arguments.begin(), (*atom)->arguments.end());
    } else if (!e.is(1)) {
      sizes.push_back(e);
    }
  }
  // What cannot be 1 decides.
  for (const Expr& e : sizes) {
    if (e.range().least > 1 || e.is(0)) return e;
  }
  std::sort(sizes.begin(), sizes.end(), [](const Expr& x, const Expr& y) { return Expr::Order(x, y) < 0; });
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  if (sizes.empty()) return 1;
  // For more, nothing is known but that they fit.
  constexpr size_t kMaxSizes = 8;
  if (sizes.size() > kMaxSizes) return Expr::Unknown();
  return sizes.size() == 1 ? sizes[0] : AtomExpr(AtomKind::kBroadcast, std::move(sizes));
}

}  // namespace micrort::ir::size
