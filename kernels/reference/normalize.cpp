#include "kernels/reference/normalize.h"

#include <cmath>

namespace micrort::reference {

void Normalize(const NormalizeCase& c, const float* x, const float* scale, const float* bias, double* y) {
  const auto count = static_cast<double>(c.rows * c.inner);
  for (size_t o = 0; o < c.outer; ++o) {
    for (size_t k = 0; k < c.kept; ++k) {
      const auto at = [&](size_t r, size_t i) { return ((o * c.rows + r) * c.kept + k) * c.inner + i; };
      double mean = 0, variance = 0;
      for (size_t r = 0; c.centered && r < c.rows; ++r) {
        for (size_t i = 0; i < c.inner; ++i) mean += static_cast<double>(x[at(r, i)]) / count;
      }
      for (size_t r = 0; r < c.rows; ++r) {
        for (size_t i = 0; i < c.inner; ++i) {
          const double d = static_cast<double>(x[at(r, i)]) - mean;
          variance += d * d / count;
        }
      }
      for (size_t r = 0; r < c.rows; ++r) {
        for (size_t i = 0; i < c.inner; ++i) {
          const double normal = (static_cast<double>(x[at(r, i)]) - mean) / std::sqrt(variance + c.epsilon);
          const size_t p = k * c.inner + i;
          y[at(r, i)] = normal * static_cast<double>(scale[p]) + static_cast<double>(bias[p]);
        }
      }
    }
  }
}

}  // namespace micrort::reference
