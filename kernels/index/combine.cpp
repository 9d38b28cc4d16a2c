#include "kernels/index/combine.h"

#include <type_traits>

#include "kernels/elementwise/element_type.h"

namespace micrort {

namespace {

// Signed overflow is undefined in C++; unsigned wraps.
template <typename T>
T Add(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  } else {
    return a + b;
  }
}

template <typename T>
T Mul(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  } else {
    return a * b;
  }
}

// Halves are computed with as floats.
template <typename T>
using ComputeOf = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;

template <typename T, typename Function>
void Apply(void* target, const void* update, size_t n, Function f) {
  using C = ComputeOf<T>;
  auto* y = static_cast<T*>(target);
  const auto* x = static_cast<const T*>(update);
  for (size_t i = 0; i < n; ++i) {
    y[i] = ConvertElement<T>(f(ConvertElement<C>(y[i]), ConvertElement<C>(x[i])));
  }
}

template <typename T>
void Combine(ScatterReduction reduction, void* target, const void* update, size_t n) {
  using C = ComputeOf<T>;
  switch (reduction) {
    case ScatterReduction::kNone:
      return Apply<T>(target, update, n, [](C, C b) { return b; });
    case ScatterReduction::kAdd:
      return Apply<T>(target, update, n, Add<C>);
    case ScatterReduction::kMul:
      return Apply<T>(target, update, n, Mul<C>);
    case ScatterReduction::kMax:
      return Apply<T>(target, update, n, [](C a, C b) { return a != a || a > b ? a : b; });
    case ScatterReduction::kMin:
      return Apply<T>(target, update, n, [](C a, C b) { return a != a || a < b ? a : b; });
  }
}

}  // namespace

CombineFn SelectCombine(DType dtype) {
  CombineFn function = nullptr;
  WithElementType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (!std::is_same_v<T, Bool>) function = Combine<T>;
  });
  return function;
}

}  // namespace micrort
