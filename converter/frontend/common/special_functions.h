#pragma once
// Functions of mathematics, as operators that there are.

#include <initializer_list>

#include "converter/ir/build.h"

namespace micrort::frontend {

// Computed in float32. The coefficient of the highest power comes first.
ir::ValueId Polynomial(ir::Builder& b, ir::ValueId x, std::initializer_list<double> coefficients);

// They take any type of floats. Plain formulas lose small numbers: 1 + 1e-8 is 1 in float32.
ir::ValueId Log1p(ir::Builder& b, ir::ValueId x);
ir::ValueId Expm1(ir::Builder& b, ir::ValueId x);
ir::ValueId Erfc(ir::Builder& b, ir::ValueId x);
// The angle of (x, y), as IEEE 754 has it: zeros have signs, and infinities have angles.
ir::ValueId Atan2(ir::Builder& b, ir::ValueId y, ir::ValueId x);

// The number next to x on the way to y, of float32 or float64.
ir::ValueId NextAfter(ir::Builder& b, ir::ValueId x, ir::ValueId y);

// For float32.
ir::ValueId Erfinv(ir::Builder& b, ir::ValueId x);
// The quantile of the normal distribution.
ir::ValueId Ndtri(ir::Builder& b, ir::ValueId p);
ir::ValueId Lgamma(ir::Builder& b, ir::ValueId x);
ir::ValueId Digamma(ir::Builder& b, ir::ValueId x);
// Running sums of exponentials, as logarithms.

// log(exp(x[0]) + ... + exp(x[i])) along `axis`, whose size is fixed. x has floats.
ir::ValueId CumulativeLogSumExp(ir::Builder& b, ir::ValueId x, int axis);

// x moved on by `count` along `axis`, behind as many times `fill`.
ir::ValueId Delayed(ir::Builder& b, ir::ValueId x, int axis, int64_t count, float fill);

}  // namespace micrort::frontend
