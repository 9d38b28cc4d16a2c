#include "kernels/reference/reduce.h"

#include <cmath>
#include <limits>
#include <vector>

namespace micrort::reference {
namespace {

double Fold(ReduceKind kind, const std::vector<double>& x) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double sum = 0, product = 1, max = -kInfinity, min = kInfinity, absolute = 0, square = 0, exponentials = 0;
  size_t arg_max = 0, arg_min = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i] > max) arg_max = i;
    if (x[i] < min) arg_min = i;
    max = std::fmax(max, x[i]);
    min = std::fmin(min, x[i]);
    sum += x[i];
    product *= x[i];
    absolute += std::fabs(x[i]);
    square += x[i] * x[i];
    exponentials += std::exp(x[i]);
  }
  switch (kind) {
    case ReduceKind::kSum:
      return sum;
    case ReduceKind::kMean:
      return sum / static_cast<double>(x.size());
    case ReduceKind::kMax:
      return max;
    case ReduceKind::kMin:
      return min;
    case ReduceKind::kProd:
      return product;
    case ReduceKind::kL1:
      return absolute;
    case ReduceKind::kL2:
      return std::sqrt(square);
    case ReduceKind::kSumSquare:
      return square;
    case ReduceKind::kLogSum:
      return std::log(sum);
    case ReduceKind::kLogSumExp:
      return std::log(exponentials);
    case ReduceKind::kArgMax:
      return static_cast<double>(arg_max);
    case ReduceKind::kArgMin:
      return static_cast<double>(arg_min);
  }
  return 0;
}

}  // namespace

void Reduce(ReduceKind kind, const double* x, const Shape& shape, const bool* is_reduced, double* y) {
  size_t outputs = 1;
  for (int d = 0; d < shape.rank; ++d) {
    if (!is_reduced[d]) outputs *= static_cast<size_t>(shape[d]);
  }
  std::vector<std::vector<double>> elements(outputs);
  const auto count = static_cast<size_t>(shape.elements());
  for (size_t i = 0; i < count; ++i) {
    size_t rest = i, output = 0, stride = 1;
    for (int d = shape.rank - 1; d >= 0; --d) {
      const auto size = static_cast<size_t>(shape[d]);
      if (!is_reduced[d]) {
        output += rest % size * stride;
        stride *= size;
      }
      rest /= size;
    }
    elements[output].push_back(x[i]);
  }
  for (size_t o = 0; o < outputs; ++o) y[o] = Fold(kind, elements[o]);
}

}  // namespace micrort::reference
