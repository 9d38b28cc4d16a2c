#pragma once
// Functions of one variable in double precision: the oracle of tests.

#include "kernels/elementwise/unary_kind.h"

namespace micrort::reference {

// For all kinds but kNot, kIsNaN, kIsInf and kBitwiseNot.
double Unary(const UnaryOp& op, double x);

}  // namespace micrort::reference
