#pragma once
// Dequantizing of weights over a vector type F of floats (as F32x8 of kernels/base/simd/vec8.h), V of which
// are a row of a panel.

#include "kernels/gemm/dequantize_weights.h"

namespace micrort {
namespace {

template <typename F, int V>
struct DequantizeWeights {
  using I = typename F::Int;
  static constexpr size_t kLanes = sizeof(F) / sizeof(float);
  static constexpr size_t kNr = kLanes * V;

  static void S8(const int8_t* b, const float* scales, size_t rows, float* out) {
    F scale[V];
    for (size_t j = 0; j < V; ++j) scale[j] = F::Load(scales + kLanes * j);
    for (size_t k = 0; k < rows; ++k, b += kNr, out += kNr) {
#pragma GCC unroll 4
      for (size_t j = 0; j < V; ++j) {
        (ToFloat(I::Load(b + kLanes * j)) * scale[j]).Store(out + kLanes * j);
      }
    }
  }

  // Widening a byte keeps the sign of its upper half; shifts bring that of the lower one into place.
  static F LoadScale(const float* p) { return F::Load(p); }
  static F LoadScale(const uint16_t* p) { return F::LoadHalf(p); }

  template <typename Scale>
  static void Run(const int8_t* b, const Scale* scales, size_t rows, float* out) {
    F scale[V];
    for (size_t j = 0; j < V; ++j) scale[j] = LoadScale(scales + kLanes * j);
    for (size_t k = 0; k < rows; k += 2, b += kNr, out += 2 * kNr) {
#pragma GCC unroll 4
      for (size_t j = 0; j < V; ++j) {
        const I pair = I::Load(b + kLanes * j);
        (ToFloat(ShiftRight(ShiftLeft(pair, 28), 28)) * scale[j]).Store(out + kLanes * j);
        (ToFloat(ShiftRight(pair, 4)) * scale[j]).Store(out + kNr + kLanes * j);
      }
    }
  }

  template <typename Scale>
  static void S4(const uint8_t* runs, size_t rows, float* out) {
    constexpr size_t kRunBytes = Int4RunBytes(kInt4Run, kNr, sizeof(Scale) == sizeof(uint16_t));
    for (size_t k = 0; k < rows; k += kInt4Run, runs += kRunBytes, out += kInt4Run * kNr) {
      const auto* scales = reinterpret_cast<const Scale*>(runs);
      Run(reinterpret_cast<const int8_t*>(scales + kNr), scales, rows - k < kInt4Run ? rows - k : kInt4Run,
          out);
    }
  }
};

template <typename F>
inline void DequantizeWeightsS8(const int8_t* b, const float* scales, size_t rows, size_t nr, float* out) {
  constexpr size_t kLanes = sizeof(F) / sizeof(float);
  if (nr == kLanes) return DequantizeWeights<F, 1>::S8(b, scales, rows, out);
  if (nr == 2 * kLanes) return DequantizeWeights<F, 2>::S8(b, scales, rows, out);
  DequantizeWeights<F, 4>::S8(b, scales, rows, out);
}

template <typename F, typename Scale>
inline void DequantizeRunsS4(const uint8_t* runs, size_t rows, size_t nr, float* out) {
  constexpr size_t kLanes = sizeof(F) / sizeof(float);
  if (nr == kLanes) return DequantizeWeights<F, 1>::template S4<Scale>(runs, rows, out);
  if (nr == 2 * kLanes) return DequantizeWeights<F, 2>::template S4<Scale>(runs, rows, out);
  DequantizeWeights<F, 4>::template S4<Scale>(runs, rows, out);
}

template <typename F>
inline void DequantizeWeightsS4(const uint8_t* runs, size_t rows, size_t nr, bool half_scales, float* out) {
  if (half_scales) return DequantizeRunsS4<F, uint16_t>(runs, rows, nr, out);
  DequantizeRunsS4<F, float>(runs, rows, nr, out);
}

}  // namespace
}  // namespace micrort
