#pragma once
// The micro-kernel of grouped float convolutions over a vector type F of floats (kernels/base/simd/vec8.h).
//
// Spread has, for the inputs of a vector of outputs, which are G channels of each group:
//   template <int G, int k> static F Of(const float* x)   lane j is x[j / G * G + k]

#include "kernels/gemm/gemm_f32_impl.h"
#include "kernels/grouped_conv/grouped_f32.h"

namespace micrort {
namespace {

template <typename F, typename Spread, int MR, int G>
struct GroupedF32Part {
  static constexpr int kLanes = sizeof(F) / sizeof(float);

  // Channel k of a tap in all rows.
  template <int k>
  static void Channel(const float* const (&x)[MR], const float* b, F (&acc)[MR][1]) {
    const F w = F::Load(b + k * kLanes);
#pragma GCC unroll 16
    for (int i = 0; i < MR; ++i) acc[i][0] = Fma(Spread::template Of<G, k>(x[i]), w, acc[i][0]);
  }
  template <int k = 0>
  static void Channels(const float* const (&x)[MR], const float* b, F (&acc)[MR][1]) {
    Channel<k>(x, b, acc);
    if constexpr (k + 1 < G) Channels<k + 1>(x, b, acc);
  }

  static void Run(const GemmF32Tile& t) {
    using Part = GemmF32Part<F, MR, 1, MR, 1, false>;
    F acc[MR][1];
    Part::Start(t, acc);
    const float* b = t.b;
    for (size_t tap = 0; tap < t.taps; ++tap, b += G * kLanes) {
      const float* x[MR];
      for (int i = 0; i < MR; ++i) x[i] = t.a[tap * MR + static_cast<size_t>(i)] + t.a_offset;
      Channels(x, b, acc);
    }
    Part::Finish(t, acc);
  }
};

template <typename F, typename Spread, int MR>
inline void GroupedF32(const GemmF32Tile& t) {
  if (t.channels == 4) return GroupedF32Part<F, Spread, MR, 4>::Run(t);
  GroupedF32Part<F, Spread, MR, 8>::Run(t);
}

}  // namespace
}  // namespace micrort
