#include "kernels/reduce/cumulative_sum.h"

#include <cstdint>
#include <cstring>

namespace micrort {

namespace {

struct SumOf {
  static constexpr int kNothing = 0;
  template <typename T>
  static T Of(T a, T b) {
    return a + b;
  }
};

struct ProductOf {
  static constexpr int kNothing = 1;
  template <typename T>
  static T Of(T a, T b) {
    return a * b;
  }
};

// `step`: elements from one row to the next in the direction of the sum.
template <typename Op, typename T>
void AccumulateRows(const CumulativeSumParams& p, const T* x, T* y, std::ptrdiff_t step) {
  if (p.exclusive) {
    for (size_t c = 0; c < p.inner; ++c) y[c] = static_cast<T>(Op::kNothing);
  } else {
    std::memcpy(y, x, p.inner * sizeof(T));
  }
  for (std::ptrdiff_t i = 1; i < static_cast<std::ptrdiff_t>(p.n); ++i) {
    const T* before = y + (i - 1) * step;
    const T* next = x + (p.exclusive ? i - 1 : i) * step;
    T* to = y + i * step;
    for (size_t c = 0; c < p.inner; ++c) to[c] = Op::Of(before[c], next[c]);
  }
}

template <typename T>
void RunTyped(const CumulativeSumParams& p, const void* x, void* y, const Parallel& parallel) {
  const auto inner = static_cast<std::ptrdiff_t>(p.inner);
  const auto accumulate = p.product ? AccumulateRows<ProductOf, T> : AccumulateRows<SumOf, T>;
  ParallelFor(parallel, p.outer, [&](size_t outer, int) {
    const size_t first = (outer * p.n + (p.reverse ? p.n - 1 : 0)) * p.inner;
    accumulate(p, static_cast<const T*>(x) + first, static_cast<T*>(y) + first, p.reverse ? -inner : inner);
  });
}

}  // namespace

bool HasCumulativeSum(DType dtype) { return SizeOf(dtype) >= 4; }

void RunCumulativeSum(const CumulativeSumParams& p, const void* x, void* y, const Parallel& parallel) {
  if (p.n == 0 || p.inner == 0) return;
  switch (p.dtype) {
    case DType::kFloat32:
      return RunTyped<float>(p, x, y, parallel);
    case DType::kFloat64:
      return RunTyped<double>(p, x, y, parallel);
    case DType::kInt32:
    case DType::kUInt32:  // both wrap alike
      return RunTyped<uint32_t>(p, x, y, parallel);
    default:
      return RunTyped<uint64_t>(p, x, y, parallel);
  }
}

}  // namespace micrort
