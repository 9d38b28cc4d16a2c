#pragma once
// Integer expressions over symbols: the sizes of dimensions that a model leaves open, and what shape
// computations make of them.
//
// An expression is kept as a polynomial with integer coefficients over atoms: symbols, floor divisions,
// positive parts, tests, and broadcast sizes. The form is canonical enough that two expressions of equal
// terms are equal for every value of their symbols, and Compare decides more than that. Nothing is believed
// that is not proven: what overflows, grows too large or has no form here is unknown, and unknown equals
// nothing.
//
// Copies share their terms, and with them bounds once they were asked for: one thread at a time.
//
// Conventions follow symbolic shape engines such as tract's TDim and PyTorch's ShapeEnv: divisions floor, and
// booleans are 0 and 1.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernels/base/span.h"

namespace micrort::ir::size {

struct Symbol {
  int id = 0;
  bool may_be_negative = false;  // sizes are not, values of tensors may be

  bool operator==(const Symbol& o) const { return id == o.id; }
  bool operator<(const Symbol& o) const { return id < o.id; }
};

// Bounds of an expression, both inclusive; kLeast and kMost where there is none.
struct Range {
  static constexpr int64_t kMost = int64_t{1} << 62;
  static constexpr int64_t kLeast = -kMost;
  int64_t least = kLeast;
  int64_t most = kMost;
};

struct Atom;
using AtomPtr = std::shared_ptr<const Atom>;

class Expr {
 public:
  struct Term {
    std::vector<AtomPtr> factors;  // sorted; empty: the constant term
    int64_t coefficient;           // not 0
  };
  using Terms = std::vector<Term>;  // sorted by factors, the constant first

  Expr() = default;     // 0
  Expr(int64_t value);  // NOLINT: a number is an expression
  explicit Expr(Symbol symbol);
  static Expr Unknown();

  bool is_unknown() const { return sum_ == nullptr && constant_.coefficient == kUnknown; }
  std::optional<int64_t> constant() const;
  bool is(int64_t value) const { return constant() == value; }
  // The symbol that this is, without factor and offset.
  std::optional<Symbol> symbol() const;
  // Unknown expressions and zero have no terms. The expression owns the terms.
  Span<const Term> terms() const&;
  Span<const Term> terms() const&& = delete;
  void AddSymbols(std::set<Symbol>* symbols) const;
  Range range() const;

  // False for unknown ones, whatever they are compared with.
  bool operator==(const Expr& o) const;
  bool operator!=(const Expr& o) const { return !(*this == o); }

  friend Expr operator+(const Expr& a, const Expr& b);
  friend Expr operator*(const Expr& a, const Expr& b);
  Expr operator-() const { return Expr(-1) * *this; }
  friend Expr operator-(const Expr& a, const Expr& b) { return a + -b; }

  // Makes an expression of terms in any order.
  static Expr Of(Terms terms);
  // A total order, for canonical forms.
  static int Order(const Expr& a, const Expr& b);

 private:
  // No constant has this value: it is unknown instead.
  static constexpr int64_t kUnknown = INT64_MIN;

  struct Sum {
    Terms terms;
    mutable std::optional<Range> range = {};  // once it was asked for
  };

  Term constant_ = {{}, 0};
  std::shared_ptr<const Sum> sum_;  // null: a constant
};

// The largest integer not above a / b; unknown where b may be 0 and no proof says what remains.
Expr FloorDiv(const Expr& a, const Expr& b);
Expr CeilDiv(const Expr& a, const Expr& b);
// a - b * FloorDiv(a, b).
Expr Modulo(const Expr& a, const Expr& b);
// a / b if a is b times an expression for all values of the symbols other than those for which b is 0.
std::optional<Expr> Divide(const Expr& a, const Expr& b);
Expr Min(const Expr& a, const Expr& b);
Expr Max(const Expr& a, const Expr& b);
// 1 if it holds, else 0.
Expr IsZero(const Expr& a);
Expr IsNonNegative(const Expr& a);
inline Expr Equal(const Expr& a, const Expr& b) { return IsZero(a - b); }
inline Expr Less(const Expr& a, const Expr& b) { return IsNonNegative(b - a - 1); }
inline Expr LessOrEqual(const Expr& a, const Expr& b) { return IsNonNegative(b - a); }
// a where the condition, 0 or 1, is 1; else b.
Expr Choose(const Expr& condition, const Expr& a, const Expr& b);
// The size of a dimension that several are broadcast to: the one that is not 1, or 1.
Expr Broadcast(const Expr& a, const Expr& b);

// Which of these holds for all values of the symbols; kOpen where neither was proven.
enum class Proof { kEqual, kDifferent, kOpen };
Proof Compare(const Expr& a, const Expr& b);

// With symbols replaced; `of` gives null for those that stay.
Expr Substitute(const Expr& a, const std::function<const Expr*(Symbol)>& of);
// For definite values; nothing where one is missing, or a division by 0 or an overflow is in the way.
std::optional<int64_t> Evaluate(const Expr& a, const std::function<std::optional<int64_t>(Symbol)>& of);
// "2*height + 1".
std::string TextOf(const Expr& a, const std::function<std::string(Symbol)>& name_of);

// What an expression is a polynomial of.
enum class AtomKind {
  kSymbol,
  kFloorDiv,       // of arguments 0 and 1
  kPositivePart,   // max(argument, 0)
  kIsZero,         // 0 or 1
  kIsNonNegative,  // 0 or 1
  kBroadcast,      // of all arguments
};
struct Atom {
  AtomKind kind;
  Symbol symbol;  // of kSymbol
  std::vector<Expr> arguments;
  // What follows from these, kept because expressions share atoms, and walking all paths takes too long.
  Range range = {};
  int depth = 0;  // of arguments of arguments
  int count = 1;  // of atoms, as often as they are met
};

}  // namespace micrort::ir::size
