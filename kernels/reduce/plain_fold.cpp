#include "kernels/reduce/plain_fold.h"

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace micrort {
namespace {

// Signed overflow is undefined in C++; unsigned wraps.
template <typename T, typename = void>
struct WrappingOf {
  using Type = T;
};
template <typename T>
struct WrappingOf<T, std::enable_if_t<std::is_integral_v<T>>> {
  using Type = std::make_unsigned_t<T>;
};

// acc with x folded in.
template <typename T>
inline T FoldOne(FoldKind kind, T acc, T x, T shift) {
  using W = typename WrappingOf<T>::Type;
  const W a = static_cast<W>(acc), b = static_cast<W>(x);
  switch (kind) {
    case FoldKind::kSum:
      return static_cast<T>(a + b);
    case FoldKind::kSumAbs:
      return static_cast<T>(x < T{0} ? a - b : a + b);
    case FoldKind::kSumSquare:
      return static_cast<T>(a + b * b);
    case FoldKind::kSumExp:
      if constexpr (std::is_floating_point_v<T>) return acc + std::exp(x - shift);
      return acc;
    case FoldKind::kMax:
      return x != x || x > acc ? x : acc;
    case FoldKind::kMin:
      return x != x || x < acc ? x : acc;
    case FoldKind::kProd:
      return static_cast<T>(a * b);
  }
  return acc;
}

}  // namespace

template <typename T>
T FoldPair(FoldKind kind, T a, T b) {
  const bool is_sum = kind != FoldKind::kMax && kind != FoldKind::kMin && kind != FoldKind::kProd;
  return FoldOne(is_sum ? FoldKind::kSum : kind, a, b, T{0});
}

template <typename T>
void PlainFoldColumns(FoldKind kind, const T* shift, const T* x, size_t rows, size_t stride, size_t columns,
                      T* acc) {
  for (size_t r = 0; r < rows; ++r, x += stride) {
    for (size_t c = 0; c < columns; ++c)
      acc[c] = FoldOne(kind, acc[c], x[c], shift == nullptr ? T{0} : shift[c]);
  }
}

#define MICRORT_INSTANTIATE_FOLD(T)       \
  template T FoldPair<T>(FoldKind, T, T); \
  template void PlainFoldColumns<T>(FoldKind, const T*, const T*, size_t, size_t, size_t, T*);
MICRORT_INSTANTIATE_FOLD(float)
MICRORT_INSTANTIATE_FOLD(double)
MICRORT_INSTANTIATE_FOLD(int64_t)
MICRORT_INSTANTIATE_FOLD(uint64_t)
#undef MICRORT_INSTANTIATE_FOLD

}  // namespace micrort
