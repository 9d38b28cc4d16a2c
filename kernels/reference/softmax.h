#pragma once
// Softmax in double precision: the oracle of tests.

#include <cstddef>

namespace micrort::reference {

// x, y: [outer][n][inner], normalized along n.
void Softmax(const float* x, double* y, size_t outer, size_t n, size_t inner, bool log);

}  // namespace micrort::reference
