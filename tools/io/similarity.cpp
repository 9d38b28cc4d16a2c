#include "tools/io/similarity.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace micrort::io {

void Similarity::Add(const float* reference, const float* x, size_t n) {
  elements_ += n;
  for (size_t i = 0; i < n; ++i) {
    const double r = reference[i], v = x[i];
    // Equal infinities, and NaN on both sides, are no error.
    if (r == v && std::isinf(r)) continue;
    if (std::isnan(r) && std::isnan(v)) {
      ++nan_on_both_;
      continue;
    }
    const double error = r - v;
    reference_energy_ += r * r;
    x_energy_ += v * v;
    error_energy_ += error * error;
    product_ += r * v;
    largest_error_ = std::max(largest_error_, std::fabs(error));
  }
}

double Similarity::Snr() const {
  if (error_energy_ == 0) return std::numeric_limits<double>::infinity();
  return 10 * std::log10(reference_energy_ / error_energy_);
}

double Similarity::Cosine() const {
  if (reference_energy_ == 0 && x_energy_ == 0) return 1;
  if (reference_energy_ == 0 || x_energy_ == 0) return 0;
  return product_ / std::sqrt(reference_energy_ * x_energy_);
}

}  // namespace micrort::io
