#pragma once
// The blending micro-kernel over a vector type F of eight lanes (kernels/base/simd/vec8.h).

#include "kernels/resize/blend_f32.h"

namespace micrort {

// dst[i] = sum over t of weights[t] * rows[t][i] for i < n.
template <typename F, size_t kTaps>
inline void BlendRows(const float* const* rows, const float* weights, size_t n, float* dst) {
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    F acc = F::Broadcast(weights[0]) * F::Load(rows[0] + i);
    for (size_t t = 1; t < kTaps; ++t) acc = acc + F::Broadcast(weights[t]) * F::Load(rows[t] + i);
    acc.Store(dst + i);
  }
  for (; i < n; ++i) {
    float acc = weights[0] * rows[0][i];
    for (size_t t = 1; t < kTaps; ++t) acc = acc + weights[t] * rows[t][i];
    dst[i] = acc;
  }
}

// kBlock: the size of a block where it is known at compile time, else 0.
template <typename F, size_t kTaps, size_t kBlock>
inline void BlendBlocks(const BlendF32& b) {
  const size_t block = kBlock == 0 ? b.block : kBlock;
  for (size_t o = 0; o < b.count; ++o) {
    const float* rows[kTaps];
    for (size_t t = 0; t < kTaps; ++t) {
      rows[t] = b.src + static_cast<size_t>(b.indices[o * kTaps + t]) * block;
    }
    BlendRows<F, kTaps>(rows, b.weights + o * kTaps, block, b.dst + o * block);
  }
}

// Blocks as small as the channels of a picture are unrolled.
template <typename F, size_t kTaps>
inline void BlendAnyBlocks(const BlendF32& b) {
  switch (b.block) {
    case 1:
      return BlendBlocks<F, kTaps, 1>(b);
    case 3:
      return BlendBlocks<F, kTaps, 3>(b);
    default:
      return BlendBlocks<F, kTaps, 0>(b);
  }
}

// dst[i] = weight * row[i], or plus what is there already, for i < n.
template <typename F>
inline void AddRow(const float* row, float weight, bool add, size_t n, float* dst) {
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const F product = F::Broadcast(weight) * F::Load(row + i);
    (add ? F::Load(dst + i) + product : product).Store(dst + i);
  }
  for (; i < n; ++i) dst[i] = add ? dst[i] + weight * row[i] : weight * row[i];
}

// Any number of taps, as antialiasing has them.
template <typename F>
inline void BlendManyTaps(const BlendF32& b) {
  for (size_t o = 0; o < b.count; ++o) {
    for (size_t t = 0; t < b.taps; ++t) {
      const size_t entry = o * b.taps + t;
      const float* row = b.src + static_cast<size_t>(b.indices[entry]) * b.block;
      AddRow<F>(row, b.weights[entry], t > 0, b.block, b.dst + o * b.block);
    }
  }
}

// The contract of BlendF32Fn.
template <typename F>
inline void Blend(const BlendF32& b) {
  if (b.taps == 2) return BlendAnyBlocks<F, 2>(b);
  if (b.taps == 4) return BlendAnyBlocks<F, 4>(b);
  BlendManyTaps<F>(b);
}

}  // namespace micrort
