#include "kernels/reference/softmax.h"

#include <cmath>

namespace micrort::reference {
namespace {

// n elements that lie `stride` apart.
void SoftmaxOne(const float* x, double* y, size_t n, size_t stride, bool log) {
  double max = static_cast<double>(x[0]);
  for (size_t i = 1; i < n; ++i) max = std::fmax(max, static_cast<double>(x[i * stride]));
  double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += std::exp(static_cast<double>(x[i * stride]) - max);
  for (size_t i = 0; i < n; ++i) {
    const double v = static_cast<double>(x[i * stride]) - max;
    y[i * stride] = log ? v - std::log(sum) : std::exp(v) / sum;
  }
}

}  // namespace

void Softmax(const float* x, double* y, size_t outer, size_t n, size_t inner, bool log) {
  for (size_t o = 0; o < outer; ++o) {
    for (size_t i = 0; i < inner; ++i) {
      const size_t first = o * n * inner + i;
      SoftmaxOne(x + first, y + first, n, inner, log);
    }
  }
}

}  // namespace micrort::reference
