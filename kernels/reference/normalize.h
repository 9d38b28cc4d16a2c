#pragma once
// Normalization in double precision: the oracle of tests.

#include <cstddef>

namespace micrort::reference {

// x, y: [outer][rows][kept][inner], normalized over rows and inner; scale, bias: [kept][inner].
struct NormalizeCase {
  size_t outer, rows, kept, inner;
  double epsilon;
  bool centered;
};
void Normalize(const NormalizeCase& c, const float* x, const float* scale, const float* bias, double* y);

}  // namespace micrort::reference
