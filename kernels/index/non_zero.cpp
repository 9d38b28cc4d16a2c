#include "kernels/index/non_zero.h"

#include "kernels/elementwise/element_type.h"

namespace micrort {

namespace {

template <typename T>
bool IsNonZero(T x) {
  if constexpr (std::is_same_v<T, Bool>) {
    return x.byte != 0;
  } else {
    return ConvertElement<float>(x) != 0;
  }
}
bool IsNonZero(double x) { return x != 0; }
bool IsNonZero(int64_t x) { return x != 0; }
bool IsNonZero(uint64_t x) { return x != 0; }

// Calls f(i) for the elements that are not zero.
template <typename Function>
void ForEachNonZero(DType dtype, const void* x, size_t n, Function f) {
  WithElementType(dtype, [&](auto tag) {
    const auto* elements = static_cast<const typename decltype(tag)::Type*>(x);
    for (size_t i = 0; i < n; ++i) {
      if (IsNonZero(elements[i])) f(i);
    }
  });
}

}  // namespace

size_t CountNonZero(DType dtype, const void* x, size_t n) {
  size_t count = 0;
  ForEachNonZero(dtype, x, n, [&](size_t) { ++count; });
  return count;
}

void NonZero(DType dtype, const void* x, const Shape& shape, size_t count, int64_t* y) {
  size_t found = 0;
  ForEachNonZero(dtype, x, static_cast<size_t>(shape.elements()), [&](size_t i) {
    auto rest = static_cast<int64_t>(i);
    for (int d = shape.rank - 1; d >= 0; --d) {
      y[static_cast<size_t>(d) * count + found] = rest % shape[d];
      rest /= shape[d];
    }
    ++found;
  });
}

}  // namespace micrort
