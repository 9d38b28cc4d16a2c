#include "converter/quantize/rotary_tables.h"

#include <algorithm>
#include <cmath>

namespace micrort::quantize {
namespace {

// A share of the square of the largest element: tables may come from bfloat16.
constexpr float kRounding = 0.01f;

}  // namespace

bool HoldsRotations(const ir::Value& table) {
  const auto rows = static_cast<size_t>(table.shape[0]);
  const size_t n = static_cast<size_t>(table.elements()) / rows;
  const float *const begin = table.as<float>(), *const end = begin + rows * n;
  const auto is_first = [begin](float x) { return x == *begin; };
  if (*begin < 0 || !std::all_of(begin, begin + n, is_first) || std::all_of(begin, end, is_first))
    return false;
  float largest = 0;
  for (const float* x = begin; x != end; ++x) largest = std::max(largest, std::fabs(*x));
  const float bound = kRounding * largest * largest;
  // At x, what its two neighbours in a column sum up to is 2 cos(angle) x.
  const auto sum = [n](const float* x) { return x[n] + *(x - n); };
  for (const float* x = begin + n; x + 2 * n < end; ++x) {
    if (!(std::fabs(sum(x) * x[n] - sum(x + n) * *x) <= bound)) return false;
  }
  return rows >= 4;
}

}  // namespace micrort::quantize
