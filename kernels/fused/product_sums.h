#pragma once
// Sums by multipliers. x86 CPUs with FMA add and compare with some of their units and multiply with others; a
// + b is a * 1 + b, with the same rounding, and a - b is b * -1 + a. Where a loop has many more sums and
// comparisons than products, some of its sums are computed so.

#include "kernels/fused/fused_op.h"

namespace micrort {

// What an instruction keeps busy, in vectors.
struct FusedUnits {
  size_t sums = 0;      // units that add and compare
  size_t products = 0;  // units that multiply and divide

  void Add(const FusedUnits& other) {
    sums += other.sums;
    products += other.products;
  }
};
FusedUnits UnitsOf(FusedOp op);

// How many of a loop's sums are better computed by multipliers. A third of the difference, and not the half
// that would balance both: sums by multipliers take them longer than products do (measured on Zen 4:
// docs/aot.md).
inline size_t SumsByMultipliers(const FusedUnits& all, size_t sums) {
  const size_t move = all.sums > all.products ? (all.sums - all.products) / 3 : 0;
  return move < sums ? move : sums;
}

}  // namespace micrort
