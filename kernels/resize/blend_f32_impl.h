#pragma once
// The blending micro-kernel over a vector type F of eight lanes (kernels/base/simd/vec8.h).

#include "kernels/resize/blend_f32.h"

namespace micrort {

template <typename F>
inline F LoadEight(const float* p) {
  return F::Load(p);
}
template <typename F>
inline F LoadEight(const int8_t* p) {
  return ToFloat(F::Int::Load(p));
}
template <typename F>
inline void StoreEight(F v, float* p) {
  v.Store(p);
}
template <typename F>
inline void StoreEight(F v, int8_t* p) {
  RoundToIntInRange(v).Store(p);
}

// One element of a tail. Adding 1.5 * 2^23 leaves no bits behind the point, rounded half to even.
template <typename F>
inline void StoreOne(float v, float* p) {
  *p = v;
}
template <typename F>
inline void StoreOne(float v, int8_t* p) {
  *p = static_cast<int8_t>((v + 0x1.8p23f) - 0x1.8p23f);
}

// dst[i] = sum over t of weights[t] * rows[t][i] for i < n.
template <typename F, size_t kTaps, typename From, typename To>
inline void BlendRows(const From* const* rows, const float* weights, size_t n, To* dst) {
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    F acc = F::Broadcast(weights[0]) * LoadEight<F>(rows[0] + i);
    for (size_t t = 1; t < kTaps; ++t) acc = acc + F::Broadcast(weights[t]) * LoadEight<F>(rows[t] + i);
    StoreEight(acc, dst + i);
  }
  for (; i < n; ++i) {
    float acc = weights[0] * static_cast<float>(rows[0][i]);
    for (size_t t = 1; t < kTaps; ++t) acc = acc + weights[t] * static_cast<float>(rows[t][i]);
    StoreOne<F>(acc, dst + i);
  }
}

// kBlock: the size of a block where it is known at compile time, else 0.
template <typename F, size_t kTaps, size_t kBlock, typename From, typename To>
inline void BlendBlocks(const BlendOf<From, To>& b) {
  const size_t block = kBlock == 0 ? b.block : kBlock;
  for (size_t o = 0; o < b.count; ++o) {
    const From* rows[kTaps];
    for (size_t t = 0; t < kTaps; ++t) {
      rows[t] = b.src + static_cast<size_t>(b.indices[o * kTaps + t]) * block;
    }
    BlendRows<F, kTaps>(rows, b.weights + o * kTaps, block, b.dst + o * block);
  }
}

// Blocks as small as the channels of a picture are unrolled.
template <typename F, size_t kTaps, typename From, typename To>
inline void BlendAnyBlocks(const BlendOf<From, To>& b) {
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

template <typename F>
inline void Blend(const BlendF32& b) {
  if (b.taps == 2) return BlendAnyBlocks<F, 2>(b);
  if (b.taps == 4) return BlendAnyBlocks<F, 4>(b);
  BlendManyTaps<F>(b);
}

// Defines the functions of one row over the F32x8 that the file has included.
#define MICRORT_DEFINE_BLEND_F32(name)                                                     \
  void BlendF32_##name(const BlendF32& blend) { Blend<F32x8>(blend); }                     \
  void BlendS8ToF32_##name(const BlendS8ToF32& blend) { BlendAnyBlocks<F32x8, 2>(blend); } \
  void BlendF32ToS8_##name(const BlendF32ToS8& blend) { BlendAnyBlocks<F32x8, 2>(blend); } \
  void BlendS8_##name(const BlendS8& blend) { BlendAnyBlocks<F32x8, 2>(blend); }

}  // namespace micrort
