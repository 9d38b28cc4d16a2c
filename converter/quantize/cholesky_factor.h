#pragma once

#include <cstddef>
#include <vector>

namespace micrort::quantize {

// Replaces the symmetric n x n matrix h by the upper triangular r with h = r * r^T; its lower triangle is
// left. False, with h spoiled, if h is not positive definite.
bool FactorCholesky(size_t n, std::vector<double>* h);

// Solves r * x = b for upper triangular r.
std::vector<double> SolveUpper(size_t n, const std::vector<double>& r, std::vector<double> b);

}  // namespace micrort::quantize
