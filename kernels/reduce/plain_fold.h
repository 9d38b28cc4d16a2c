#pragma once
// Folding in any compute type (kernels/elementwise/elements.h), element by element. Integers wrap.

#include <cstddef>
#include <limits>

#include "kernels/reduce/reduce_kind.h"

namespace micrort {

// The value that folding starts from.
template <typename T>
inline T FoldIdentity(FoldKind kind) {
  using Limits = std::numeric_limits<T>;
  switch (kind) {
    case FoldKind::kProd:
      return 1;
    case FoldKind::kMax:
      return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    case FoldKind::kMin:
      return Limits::has_infinity ? Limits::infinity() : Limits::max();
    default:
      return 0;
  }
}

// T is float, double, int64_t or uint64_t.

// `a` with `b` folded in, both being folded values already: sums are added, whatever they are sums of.
template <typename T>
T FoldPair(FoldKind kind, T a, T b);

// As FoldColumnsF32Fn. kSumExp is for floats only.
template <typename T>
void PlainFoldColumns(FoldKind kind, const T* shift, const T* x, size_t rows, size_t stride, size_t columns,
                      T* acc);

}  // namespace micrort
