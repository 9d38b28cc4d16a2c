#pragma once
// What the files of this folder share in making canonical expressions.

#include <vector>

#include "converter/ir/size/expr.h"

namespace micrort::ir::size {

// Arguments of arguments; deeper ones are unknown.
constexpr int kMaxDepth = 20;
// Atoms in an atom; those with more are unknown.
constexpr int kMaxAtoms = 1024;

int OrderOfAtoms(const AtomPtr& a, const AtomPtr& b);
// By the ranges of its arguments.
Range RangeOfAtom(const Atom& atom);
// Unknown if an argument is, lies too deep, or is too large. The arguments are canonical already.
Expr AtomExpr(AtomKind kind, std::vector<Expr> arguments);

inline int64_t FloorOf(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }
// The greatest common divisor of the coefficients, 0 if there are none.
int64_t CommonFactor(Span<const Expr::Term> terms);

}  // namespace micrort::ir::size
