#pragma once
// The discrete Fourier transform of any length, in double precision: radix 2 for powers of two, Bluestein's
// algorithm, three transforms of a power of two, for the others.

#include <cstddef>
#include <cstdint>

namespace micrort {

struct Complex {
  double re, im;
};

// Plain data.
struct FourierPlan {
  int64_t length;  // > 0
  int64_t radix2;  // the power of two that is computed: length, or at least 2 * length - 1
  bool inverse;    // divided by the length
};

constexpr int64_t kMaxFourierLength = int64_t{1} << 26;

// `length` in [1, kMaxFourierLength].
FourierPlan PlanFourier(int64_t length, bool inverse);

// Elements of tables (the same for every transform of the plan) and of the work space of one transform.
int64_t FourierTableSize(const FourierPlan& plan);
inline int64_t FourierWorkSize(const FourierPlan& plan) { return plan.radix2; }

void MakeFourierTables(const FourierPlan& plan, Complex* tables);

// Transforms the first `length` elements of `work`; what follows them is overwritten.
void TransformFourier(const FourierPlan& plan, const Complex* tables, Complex* work);

}  // namespace micrort
