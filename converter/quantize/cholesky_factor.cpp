#include "converter/quantize/cholesky_factor.h"

#include <cmath>

namespace micrort::quantize {
namespace {

// Each sum waits for the addition before: several are under way at once.
constexpr size_t kRows = 4;

// Column j of some rows above row j.
template <size_t kCount>
void FinishRows(const double* row, size_t n, size_t j, double* above) {
  double sums[kCount];
  for (size_t r = 0; r < kCount; ++r) sums[r] = above[r * n + j];
  for (size_t k = j + 1; k < n; ++k) {
    for (size_t r = 0; r < kCount; ++r) sums[r] -= above[r * n + k] * row[k];
  }
  for (size_t r = 0; r < kCount; ++r) above[r * n + j] = sums[r] / row[j];
}

}  // namespace

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
    size_t i = 0;
    for (; i + kRows <= j; i += kRows) FinishRows<kRows>(row, n, j, r + i * n);
    for (; i < j; ++i) FinishRows<1>(row, n, j, r + i * n);
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
