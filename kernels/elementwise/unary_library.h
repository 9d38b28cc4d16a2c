#pragma once
// Functions of one variable that the C library computes in double precision.

#include "kernels/elementwise/unary_kind.h"

namespace micrort {

// Null for kinds that have parameters or no counterpart in the library.
double (*LibraryUnary(UnaryKind kind))(double);

// Trigonometric, hyperbolic and their inverses: floats have no vector form of them.
constexpr bool IsTrigonometric(UnaryKind kind) {
  return kind >= UnaryKind::kSin && kind <= UnaryKind::kAtanh;
}

}  // namespace micrort
