#include "converter/quantize/cholesky_factor.h"

#include <cmath>

namespace micrort::quantize {

// Cholesky's factorization from the last row upwards.
bool FactorCholesky(size_t n, std::vector<double>* h) {
  double* r = h->data();
  for (size_t j = n; j-- > 0;) {
    const double* row = r + j * n;
    double pivot = row[j];
    for (size_t k = j + 1; k < n; ++k) pivot -= row[k] * row[k];
    if (!(pivot > 0.0) || std::isinf(pivot)) return false;
    pivot = std::sqrt(pivot);
    r[j * n + j] = pivot;
    for (size_t i = 0; i < j; ++i) {
      double* above = r + i * n;
      double sum = above[j];
      for (size_t k = j + 1; k < n; ++k) sum -= above[k] * row[k];
      above[j] = sum / pivot;
    }
  }
  return true;
}

std::vector<double> SolveUpper(size_t n, const std::vector<double>& r, std::vector<double> b) {
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k) b[i] -= r[i * n + k] * b[k];
    b[i] /= r[i * n + i];
  }
  return b;
}

}  // namespace micrort::quantize
