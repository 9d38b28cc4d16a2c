#pragma once
// Normalization over a vector type F of eight lanes (kernels/base/simd/vec8.h).

#include <cstddef>

#include "kernels/normalize/normalize_f32.h"
#include "kernels/reduce/fold_f32_impl.h"

namespace micrort {

// The sum of term(v) over all elements, in every lane. Four vectors at once hide the latency of additions.
template <typename F, typename Function>
inline F SumOf(const float* x, size_t n, Function term) {
  F sums[4] = {F::Zero(), F::Zero(), F::Zero(), F::Zero()};
  size_t i = 0;
  for (; i + 32 <= n; i += 32) {
#pragma GCC unroll 4
    for (size_t v = 0; v < 4; ++v) sums[v] = sums[v] + term(F::Load(x + i + 8 * v));
  }
  for (; i + 8 <= n; i += 8) sums[0] = sums[0] + term(F::Load(x + i));
  if (i < n) {
    float tail[8] = {};
    term(F::LoadPartial(x + i, n - i)).StorePartial(tail, n - i);
    sums[0] = sums[0] + F::Load(tail);
  }
  return F::Broadcast(ReduceAdd((sums[0] + sums[2]) + (sums[1] + sums[3])));
}

template <typename F>
inline void NormalizeRow(const NormalizeRowF32& p, const float* x, float* y, size_t n) {
  const F count = F::Broadcast(static_cast<float>(n));
  const F mean = p.centered ? SumOf<F>(x, n, [](F v) { return v; }) / count : F::Zero();
  const auto square = [mean](F v) { return (v - mean) * (v - mean); };
  const F variance = SumOf<F>(x, n, square) / count;
  const F inverse = F::Broadcast(1.0f) / Sqrt(variance + F::Broadcast(p.epsilon));
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const F scale = p.scale_step == 0 ? F::Broadcast(*p.scale) : F::Load(p.scale + i);
    const F bias = p.bias_step == 0 ? F::Broadcast(*p.bias) : F::Load(p.bias + i);
    ((F::Load(x + i) - mean) * (inverse * scale) + bias).Store(y + i);
  }
  if (i < n) {
    const size_t rest = n - i;
    const F scale = p.scale_step == 0 ? F::Broadcast(*p.scale) : F::LoadPartial(p.scale + i, rest);
    const F bias = p.bias_step == 0 ? F::Broadcast(*p.bias) : F::LoadPartial(p.bias + i, rest);
    ((F::LoadPartial(x + i, rest) - mean) * (inverse * scale) + bias).StorePartial(y + i, rest);
  }
}

template <typename F>
inline void NormalizeRows(const NormalizeRowF32& p, const float* x, float* y, size_t rows, size_t n) {
  for (size_t r = 0; r < rows; ++r) NormalizeRow<F>(p, x + r * n, y + r * n, n);
}

template <typename F>
inline void SquareColumns(const float* mean, const float* x, size_t rows, size_t stride, size_t columns,
                          float* acc) {
  const auto add_square = [](F sum, F v, F shift) { return sum + (v - shift) * (v - shift); };
  size_t c = 0;
  for (; c + 32 <= columns; c += 32) {
    FoldColumnVectors<F, 4>(mean + c, x + c, rows, stride, acc + c, add_square);
  }
  for (; c + 8 <= columns; c += 8) {
    FoldColumnVectors<F, 1>(mean + c, x + c, rows, stride, acc + c, add_square);
  }
  if (c < columns) FoldColumnTail<F>(mean + c, x + c, rows, stride, columns - c, acc + c, add_square);
}

template <typename F>
inline void AffineColumns(const ColumnsAffineF32& p, const float* x, float* y, size_t rows, size_t stride,
                          size_t columns) {
  for (size_t r = 0; r < rows; ++r, x += stride, y += stride) {
    size_t c = 0;
    for (; c + 8 <= columns; c += 8) {
      const F scaled = (F::Load(x + c) - F::Load(p.mean + c)) * F::Load(p.factor + c);
      (scaled + F::Load(p.bias + c)).Store(y + c);
    }
    if (c == columns) continue;
    const size_t n = columns - c;
    const F centered = F::LoadPartial(x + c, n) - F::LoadPartial(p.mean + c, n);
    const F scaled = centered * F::LoadPartial(p.factor + c, n);
    (scaled + F::LoadPartial(p.bias + c, n)).StorePartial(y + c, n);
  }
}

}  // namespace micrort
