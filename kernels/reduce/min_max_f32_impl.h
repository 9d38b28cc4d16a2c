#pragma once
// The range of an array over a vector type F of eight lanes (kernels/base/simd/vec8.h).

#include <cstddef>

#include "kernels/base/simd/vec8.h"
#include "kernels/reduce/min_max_f32.h"

namespace micrort {

// Operands of Min and Max are ordered such that a NaN in x loses.
template <typename F>
inline MinMax MinMaxF32(const float* x, size_t n) {
  constexpr size_t kChains = 4;  // independent, to hide the latency of Min and Max
  const F infinity = F::Broadcast(__builtin_inff());
  F low[kChains], high[kChains];
  for (size_t c = 0; c < kChains; ++c) {
    low[c] = infinity;
    high[c] = -infinity;
  }
  size_t i = 0;
  for (; i + 8 * kChains <= n; i += 8 * kChains) {
#pragma GCC unroll 4
    for (size_t c = 0; c < kChains; ++c) {
      const F v = F::Load(x + i + 8 * c);
      low[c] = Min(v, low[c]);
      high[c] = Max(v, high[c]);
    }
  }
  for (; i + 8 <= n; i += 8) {
    const F v = F::Load(x + i);
    low[0] = Min(v, low[0]);
    high[0] = Max(v, high[0]);
  }
  MinMax r = {ReduceMin(Min(Min(low[0], low[1]), Min(low[2], low[3]))),
              ReduceMax(Max(Max(high[0], high[1]), Max(high[2], high[3])))};
  for (; i < n; ++i) {
    if (x[i] < r.min) r.min = x[i];
    if (x[i] > r.max) r.max = x[i];
  }
  return r;
}

}  // namespace micrort
