#include "converter/ir/size/input_sizes.h"

#include <algorithm>
#include <optional>
#include <set>

#include "runtime/model/size_rules.h"

namespace micrort::ir::size {

namespace {

class Finder {
 public:
  Finder(const std::vector<OpenDim>& dims, const SymbolTable& symbols, const Solver& known)
      : dims_(dims), symbols_(symbols), known_(known) {
    for (const OpenDim& dim : dims) sizes_.places.emplace(dim.symbol, dim.at);
  }

  InputSizes Find() {
    std::set<Symbol> done;
    for (const OpenDim& dim : dims_) AddDim(dim, done.insert(dim.symbol).second);
    for (const Solver::Relation& relation : known_.relations()) {
      const Expr left = known_.Resolve(relation.a), right = known_.Resolve(relation.b);
      if (Compare(left, right) != Proof::kEqual) AddRule(left, right, relation.why);
    }
    return std::move(sizes_);
  }

 private:
  void AddDim(const OpenDim& dim, bool is_first) {
    const Expr size = known_.Resolve(Expr(dim.symbol));
    if (const std::optional<int64_t> number = size.constant()) {
      sizes_.fixed.push_back({dim.at, symbols_.NameOf(dim.symbol), *number, known_.WhyOf(dim.symbol)});
    } else if (is_first && !(size == Expr(dim.symbol))) {
      AddRule(Expr(dim.symbol), size, known_.WhyOf(dim.symbol));
    }
  }

  // Rules about sizes that data decide are for operators to check.
  void AddRule(const Expr& left, const Expr& right, const std::string& node) {
    SizeRule rule = {known_.WithoutMultiples(left), known_.WithoutMultiples(right), "", node};
    if (rule.left.is_unknown() || rule.right.is_unknown()) return;
    std::set<Symbol> symbols;
    rule.left.AddSymbols(&symbols);
    rule.right.AddSymbols(&symbols);
    const auto is_input = [&](Symbol s) { return sizes_.places.count(s) != 0; };
    if (!std::all_of(symbols.begin(), symbols.end(), is_input)) return;
    if (!rule.left.symbol() && rule.right.symbol()) std::swap(rule.left, rule.right);
    if (!IsNew(rule.left - rule.right)) return;
    const std::optional<std::string> text = TextOfKnownForm(rule);
    if (!text && rule.right.is(0)) SeparateNumber(&rule);
    rule.text = text ? *text : Text(rule.left) + " = " + Text(rule.right);
    sizes_.rules.push_back(std::move(rule));
  }

  // Whether no rule that was there before says that this, or its negative, is 0. Unknown expressions are
  // equal to nothing.
  bool IsNew(const Expr& zero) {
    if (zero.is_unknown()) return true;
    const Expr negative = -zero;
    return zeros_.insert(!negative.is_unknown() && Expr::Order(negative, zero) < 0 ? negative : zero).second;
  }

  // "1 - width = 0" is told as "width = 1".
  static void SeparateNumber(SizeRule* rule) {
    const Span<const Expr::Term> terms = rule->left.terms();
    if (terms.size() < 2 || !terms[0].factors.empty()) return;
    const int64_t number = terms[0].coefficient;
    const Expr rest = rule->left - Expr(number);
    rule->left = number > 0 ? -rest : rest;
    rule->right = Expr(number > 0 ? number : -number);
  }

  std::string NameOf(Symbol symbol) const {
    const std::string& name = symbols_.NameOf(symbol);
    const InputDim& at = sizes_.places.at(symbol);
    return name.empty() ? at.input + "[" + std::to_string(at.dim) + "]" : name;
  }

  std::string Text(const Expr& e) const {
    return size::TextOf(e, [this](Symbol s) { return NameOf(s); });
  }

  std::optional<std::string> TextOfKnownForm(const SizeRule& rule) const {
    if (const std::optional<std::string> bound = BoundText(rule.left - rule.right)) return bound;
    if (const std::optional<std::string> bound = LowerBoundText(rule.left - rule.right)) return bound;
    if (const std::optional<std::string> multiple = MultipleText(rule)) return multiple;
    if (const std::optional<std::string> either = BroadcastText(rule.left, rule.right)) return either;
    return BroadcastText(rule.right, rule.left);
  }

  // max(n - 77, 0) is zero: n is 77 at most.
  std::optional<std::string> BoundText(const Expr& zero) const {
    const Span<const Expr::Term> terms = zero.terms();
    const bool is_part = terms.size() == 1 && terms[0].factors.size() == 1 &&
                         terms[0].factors[0]->kind == AtomKind::kPositivePart;
    if (!is_part) return std::nullopt;
    const Expr above = terms[0].factors[0]->arguments[0];
    const Span<const Expr::Term> parts = above.terms();
    const int64_t offset = !parts.empty() && parts[0].factors.empty() ? parts[0].coefficient : 0;
    // A size that is negative at most is told as the positive one.
    if (offset > 0) return AtLeastText(Expr(offset) - above, offset);
    return Text(above - Expr(offset)) + " <= " + std::to_string(-offset);
  }

  std::string AtLeastText(const Expr& size, int64_t least) const {
    // In front of what messages may cut.
    constexpr size_t kLong = 80;
    const std::string text = Text(size), bound = std::to_string(least);
    return text.size() > kLong ? bound + " <= " + text : text + " >= " + bound;
  }

  // max(n - 1, 0) - (n - 1) is zero: n is 1 at least.
  std::optional<std::string> LowerBoundText(const Expr& zero) const {
    for (const Expr::Term& term : zero.terms()) {
      const bool is_part = term.coefficient == 1 && term.factors.size() == 1 &&
                           term.factors[0]->kind == AtomKind::kPositivePart;
      if (!is_part) continue;
      const Expr& above = term.factors[0]->arguments[0];
      if (!(zero - Expr::Of({term}) == -above)) continue;
      const Span<const Expr::Term> parts = above.terms();
      const int64_t offset = !parts.empty() && parts[0].factors.empty() ? parts[0].coefficient : 0;
      return AtLeastText(above - Expr(offset), -offset);
    }
    return std::nullopt;
  }

  // x = 2 * floor(x / 2).
  std::optional<std::string> MultipleText(const SizeRule& rule) const {
    const Span<const Expr::Term> terms = rule.right.terms();
    const bool is_floor = rule.left.symbol() && terms.size() == 1 && terms[0].factors.size() == 1 &&
                          terms[0].factors[0]->kind == AtomKind::kFloorDiv;
    if (!is_floor) return std::nullopt;
    const std::vector<Expr>& arguments = terms[0].factors[0]->arguments;
    if (!(arguments[0] == rule.left) || !arguments[1].is(terms[0].coefficient)) return std::nullopt;
    return Text(rule.left) + " is a multiple of " + std::to_string(terms[0].coefficient);
  }

  // broadcast(a, b) = b: a is b or 1.
  std::optional<std::string> BroadcastText(const Expr& whole, const Expr& part) const {
    const Span<const Expr::Term> terms = whole.terms();
    const bool is_broadcast =
        terms.size() == 1 && terms[0].coefficient == 1 && terms[0].factors.size() == 1 &&
        terms[0].factors[0]->kind == AtomKind::kBroadcast && terms[0].factors[0]->arguments.size() == 2;
    if (!is_broadcast) return std::nullopt;
    const std::vector<Expr>& sizes = terms[0].factors[0]->arguments;
    if (!(sizes[0] == part) && !(sizes[1] == part)) return std::nullopt;
    return Text(sizes[sizes[0] == part ? 1 : 0]) + " = " + Text(part) + ", or 1";
  }

  const std::vector<OpenDim>& dims_;
  const SymbolTable& symbols_;
  const Solver& known_;
  InputSizes sizes_;
  struct InOrder {
    bool operator()(const Expr& a, const Expr& b) const { return Expr::Order(a, b) < 0; }
  };
  std::set<Expr, InOrder> zeros_;  // what rules say to be 0, or its negative
};

}  // namespace

bool FitsRule(const Expr& zero) {
  if (zero.is_unknown()) return false;
  // An atom takes at most eight steps of two numbers each time it is met, arguments three places of the
  // stack.
  constexpr int kMostAtoms = kMaxSizeSteps / 16, kMostDepth = kMaxSizeDepth / 3 - 2;
  int atoms = 0, depth = 0;
  for (const Expr::Term& term : zero.terms()) {
    for (const AtomPtr& atom : term.factors) {
      atoms += atom->count;
      depth = std::max(depth, atom->depth);
    }
  }
  return atoms <= kMostAtoms && depth <= kMostDepth;
}

InputSizes SizesOfInputs(const std::vector<OpenDim>& dims, const SymbolTable& symbols, const Solver& known) {
  return Finder(dims, symbols, known).Find();
}

}  // namespace micrort::ir::size
