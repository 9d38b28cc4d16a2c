// Bounds of expressions: by intervals, and by what floors and positive parts have in common with the rest.

#include <algorithm>
#include <optional>

#include "converter/ir/size/expr.h"
#include "converter/ir/size/make_atom.h"
#include "converter/ir/size/range_with.h"

namespace micrort::ir::size {

namespace {

__extension__ using Wide = __int128;

int64_t Saturate(Wide value) {
  return static_cast<int64_t>(std::clamp<Wide>(value, Range::kLeast, Range::kMost));
}

bool IsInfinite(int64_t bound) { return bound <= Range::kLeast || bound >= Range::kMost; }

int64_t FloorOfBound(int64_t bound, int64_t divisor) {
  return IsInfinite(bound) ? bound : FloorOf(bound, divisor);
}

Range Times(const Range& a, const Range& b) {
  const Wide products[] = {Wide(a.least) * b.least, Wide(a.least) * b.most, Wide(a.most) * b.least,
                           Wide(a.most) * b.most};
  return {Saturate(*std::min_element(products, products + 4)),
          Saturate(*std::max_element(products, products + 4))};
}

Range Plus(const Range& a, const Range& b) {
  const auto sum = [](int64_t x, int64_t y) {
    if (IsInfinite(x)) return x;
    return IsInfinite(y) ? y : Saturate(Wide(x) + y);
  };
  return {sum(a.least, b.least), sum(a.most, b.most)};
}

Range ByIntervals(Span<const Expr::Term> terms) {
  Range sum = {0, 0};
  for (const Expr::Term& term : terms) {
    Range product = {term.coefficient, term.coefficient};
    for (const AtomPtr& atom : term.factors) product = Times(product, atom->range);
    sum = Plus(sum, product);
  }
  return sum;
}

Range RangeOf(const Expr& e, int replacements);

Expr Without(Span<const Expr::Term> terms, size_t at) {
  Expr::Terms others(terms.begin(), terms.end());
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(at));
  return Expr::Of(std::move(others));
}

// An expression with an atom less that is nowhere above `factor` times the given one.
struct Below {
  Expr expr;
  int64_t factor = 1;
};

// floor(a / k) lies from (a - k + 1) / k to a / k; the positive part of a from a to a - min(least a, 0).
std::optional<Below> Replace(Span<const Expr::Term> terms, size_t at, int replacements) {
  const Expr::Term& term = terms[at];
  if (term.factors.size() != 1) return std::nullopt;
  const Atom& atom = *term.factors[0];
  if (atom.kind != AtomKind::kPositivePart && atom.kind != AtomKind::kFloorDiv) return std::nullopt;
  const Expr rest = Without(terms, at), coefficient(term.coefficient);
  if (atom.kind == AtomKind::kPositivePart) {
    const Expr& a = atom.arguments[0];
    if (term.coefficient > 0) return Below{rest + coefficient * a, 1};
    const int64_t least = std::min<int64_t>(RangeOf(a, replacements).least, 0);
    if (IsInfinite(least)) return std::nullopt;
    return Below{rest + coefficient * (a - Expr(least)), 1};
  }
  const std::optional<int64_t> k = atom.arguments[1].constant();
  if (!k || *k <= 0) return std::nullopt;
  const Expr& a = atom.arguments[0];
  const Expr bound = term.coefficient > 0 ? a - Expr(*k - 1) : a;
  return Below{Expr(*k) * rest + coefficient * bound, *k};
}

// All orders in which a few atoms are replaced are tried.
constexpr int kMaxReplacements = 3;
constexpr size_t kMaxReplacedTerms = 6;

int64_t LeastOf(const Expr& e, int replacements);

// Less a positive part of a, times c > 0: the lesser of what is left, and of that less c * a.
int64_t LeastLessPositivePart(Span<const Expr::Term> terms, size_t at, int replacements) {
  const Expr::Term& term = terms[at];
  if (term.coefficient > 0 || term.factors.size() != 1 || term.factors[0]->kind != AtomKind::kPositivePart)
    return Range::kLeast;
  const Expr rest = Without(terms, at), less = rest + Expr(term.coefficient) * term.factors[0]->arguments[0];
  if (less.is_unknown()) return Range::kLeast;
  const int64_t least = LeastOf(less, replacements);
  return IsInfinite(least) ? least : std::min(least, LeastOf(rest, replacements));
}

// In a long sum, only a positive part of nearly all of its other terms is worth it: they cancel.
bool MayReplace(Span<const Expr::Term> terms, size_t at) {
  if (terms.size() <= kMaxReplacedTerms) return true;
  const Expr::Term& term = terms[at];
  constexpr size_t kMostOthers = 3;  // the atom itself, and constants
  return term.factors.size() == 1 && term.factors[0]->kind == AtomKind::kPositivePart &&
         term.factors[0]->arguments[0].terms().size() + kMostOthers >= terms.size();
}

int64_t LeastOf(const Expr& e, int replacements) {
  const Span<const Expr::Term> terms = e.terms();
  int64_t least = ByIntervals(terms).least;
  if (terms.size() < 2) return least;
  for (size_t i = 0; i < terms.size() && replacements > 0; ++i) {
    if (!MayReplace(terms, i)) continue;
    least = std::max(least, LeastLessPositivePart(terms, i, replacements - 1));
    const std::optional<Below> below = Replace(terms, i, replacements - 1);
    if (!below || below->expr.is_unknown()) continue;
    const int64_t bound = LeastOf(below->expr, replacements - 1);
    if (!IsInfinite(bound)) least = std::max(least, -FloorOf(-bound, below->factor));
  }
  return least;
}

Range RangeOf(const Expr& e, int replacements) {
  if (e.is_unknown()) return {};
  if (const std::optional<int64_t> value = e.constant()) return {Saturate(*value), Saturate(*value)};
  return {LeastOf(e, replacements), -LeastOf(-e, replacements)};
}

Range OfFloorDiv(const Expr& a, const Expr& b) {
  const Range numerator = a.range(), denominator = b.range();
  const std::optional<int64_t> divisor = b.constant();
  if (divisor && *divisor > 0) {
    return {FloorOfBound(numerator.least, *divisor), FloorOfBound(numerator.most, *divisor)};
  }
  if (numerator.least >= 0 && denominator.least >= 0) return {0, numerator.most};
  return {};
}

}  // namespace

namespace {

using SymbolRanges = std::function<Range(Symbol)>;

Range Both(const Range& a, const Range& b) { return {std::max(a.least, b.least), std::min(a.most, b.most)}; }

Range FloorDivWith(const Range& a, const Range& b) {
  if (b.least <= 0) return {};
  const auto end = [](int64_t x, int64_t small, int64_t large) {
    return FloorOfBound(x, IsInfinite(x) || x >= 0 ? small : large);
  };
  return {end(a.least, b.most, b.least), end(a.most, b.least, b.most)};
}

Range AtomWith(const Atom& atom, const SymbolRanges& of) {
  const auto argument = [&](size_t i) { return RangeWith(atom.arguments[i], of); };
  switch (atom.kind) {
    case AtomKind::kSymbol:
      return Both(of(atom.symbol), atom.range);
    case AtomKind::kFloorDiv:
      return Both(FloorDivWith(argument(0), argument(1)), atom.range);
    case AtomKind::kPositivePart: {
      const Range r = argument(0);
      return {std::max<int64_t>(r.least, 0), std::max<int64_t>(r.most, 0)};
    }
    default:
      return atom.range;
  }
}

}  // namespace

Range RangeWith(const Expr& e, const SymbolRanges& of) {
  if (e.is_unknown()) return {};
  if (const std::optional<int64_t> value = e.constant()) return {Saturate(*value), Saturate(*value)};
  Range sum = {0, 0};
  for (const Expr::Term& term : e.terms()) {
    Range product = {term.coefficient, term.coefficient};
    for (const AtomPtr& atom : term.factors) product = Times(product, AtomWith(*atom, of));
    sum = Plus(sum, product);
  }
  return Both(sum, e.range());
}

Range Expr::range() const {
  if (sum_ == nullptr) return RangeOf(*this, kMaxReplacements);
  if (!sum_->range) sum_->range = RangeOf(*this, kMaxReplacements);
  return *sum_->range;
}

Range RangeOfAtom(const Atom& atom) {
  switch (atom.kind) {
    case AtomKind::kSymbol:
      return {atom.symbol.may_be_negative ? Range::kLeast : 0, Range::kMost};
    case AtomKind::kFloorDiv:
      return OfFloorDiv(atom.arguments[0], atom.arguments[1]);
    case AtomKind::kPositivePart: {
      const Range r = atom.arguments[0].range();
      return {std::max<int64_t>(r.least, 0), std::max<int64_t>(r.most, 0)};
    }
    case AtomKind::kIsZero:
    case AtomKind::kIsNonNegative:
      return {0, 1};
    case AtomKind::kBroadcast:
      break;
  }
  Range any = {Range::kMost, Range::kLeast};
  for (const Expr& argument : atom.arguments) {
    const Range r = argument.range();
    any = {std::min(any.least, r.least), std::max(any.most, r.most)};
  }
  return any;
}

}  // namespace micrort::ir::size
