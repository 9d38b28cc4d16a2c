#pragma once
// The transforms over a vector type F of floats (as F32x8 of kernels/base/simd/vec8.h). Points: 0, 1, -1,
// infinity for F(2, 3), and 2, -2 too for F(4, 3).

#include "kernels/winograd/winograd_f32.h"

namespace micrort {
namespace {

// One-dimensional transforms.
template <typename F, int M>
struct Winograd1D;

template <typename F>
struct Winograd1D<F, 2> {
  static void Input(const F (&d)[4], F (&v)[4]) {
    v[0] = d[0] - d[2];
    v[1] = d[1] + d[2];
    v[2] = d[2] - d[1];
    v[3] = d[1] - d[3];
  }
  static void Output(const F (&p)[4], F (&y)[2]) {
    y[0] = p[0] + p[1] + p[2];
    y[1] = p[1] - p[2] - p[3];
  }
};

template <typename F>
struct Winograd1D<F, 4> {
  static void Input(const F (&d)[6], F (&v)[6]) {
    const F two = F::Broadcast(2.0f), four = F::Broadcast(4.0f), five = F::Broadcast(5.0f);
    const F even1 = d[4] - four * d[2], odd1 = d[3] - four * d[1];
    const F even2 = d[4] - d[2], odd2 = two * (d[3] - d[1]);
    v[0] = four * d[0] - five * d[2] + d[4];
    v[1] = even1 + odd1;
    v[2] = even1 - odd1;
    v[3] = even2 + odd2;
    v[4] = even2 - odd2;
    v[5] = four * d[1] - five * d[3] + d[5];
  }
  static void Output(const F (&p)[6], F (&y)[4]) {
    const F two = F::Broadcast(2.0f), four = F::Broadcast(4.0f), eight = F::Broadcast(8.0f);
    const F even1 = p[1] + p[2], odd1 = p[1] - p[2], even2 = p[3] + p[4], odd2 = p[3] - p[4];
    y[0] = p[0] + even1 + even2;
    y[1] = odd1 + two * odd2;
    y[2] = even1 + four * even2;
    y[3] = odd1 + eight * odd2 + p[5];
  }
};

// A vector of channels, or the last few of them.
template <typename F>
struct WholeVector {
  F Load(const float* p) const { return F::Load(p); }
  void Store(F v, float* p) const { v.Store(p); }
};
template <typename F>
struct PartialVector {
  size_t count;
  F Load(const float* p) const { return F::LoadPartial(p, count); }
  void Store(F v, float* p) const { v.StorePartial(p, count); }
};

// Columns first, then rows.
template <typename F, int M, typename Access>
inline void WinogradInputBlock(const WinogradInput& t, size_t c, Access access) {
  constexpr int kSize = M + kWinogradTaps - 1;
  F columns[kSize][kSize];  // [column][row]
  for (int j = 0; j < kSize; ++j) {
    F d[kSize];
    for (int i = 0; i < kSize; ++i) d[i] = access.Load(t.x[i * kSize + j] + c);
    Winograd1D<F, M>::Input(d, columns[j]);
  }
  float* out = t.v + c;
  for (int i = 0; i < kSize; ++i) {
    F d[kSize], v[kSize];
    for (int j = 0; j < kSize; ++j) d[j] = columns[j][i];
    Winograd1D<F, M>::Input(d, v);
    for (int j = 0; j < kSize; ++j, out += t.point_stride) access.Store(v[j], out);
  }
}

template <typename F, int M, typename Access>
inline void WinogradOutputBlock(const WinogradOutput& t, size_t c, Access access) {
  constexpr int kSize = M + kWinogradTaps - 1;
  F columns[kSize][M];  // [column][row]
  for (int j = 0; j < kSize; ++j) {
    F p[kSize];
    for (int i = 0; i < kSize; ++i) {
      p[i] = access.Load(t.products + static_cast<size_t>(i * kSize + j) * t.point_stride + c);
    }
    Winograd1D<F, M>::Output(p, columns[j]);
  }
  const F lo = F::Broadcast(t.lo), hi = F::Broadcast(t.hi);
  const F bias = t.bias == nullptr ? F::Zero() : access.Load(t.bias + c);
  for (int i = 0; i < M; ++i) {
    F p[kSize], y[M];
    for (int j = 0; j < kSize; ++j) p[j] = columns[j][i];
    Winograd1D<F, M>::Output(p, y);
    for (int j = 0; j < M; ++j) {
      const int pixel = i * M + j;
      if (t.y[pixel] == nullptr) continue;
      F v = y[j] + bias;
      if (t.start != nullptr) v = access.Load(t.start[pixel] + c) + v;
      // In this order of operands a NaN passes through.
      access.Store(Max(lo, Min(hi, v)), t.y[pixel] + c);
    }
  }
}

template <typename F, int M>
inline void WinogradTransformInput(const WinogradInput& t) {
  constexpr size_t kLanes = sizeof(F) / sizeof(float);
  size_t c = 0;
  for (; c + kLanes <= t.channels; c += kLanes) WinogradInputBlock<F, M>(t, c, WholeVector<F>());
  if (c < t.channels) WinogradInputBlock<F, M>(t, c, PartialVector<F>{t.channels - c});
}

template <typename F, int M>
inline void WinogradTransformOutput(const WinogradOutput& t) {
  constexpr size_t kLanes = sizeof(F) / sizeof(float);
  size_t c = 0;
  for (; c + kLanes <= t.channels; c += kLanes) WinogradOutputBlock<F, M>(t, c, WholeVector<F>());
  if (c < t.channels) WinogradOutputBlock<F, M>(t, c, PartialVector<F>{t.channels - c});
}

// Defines the functions of one row over a vector type that the file has included.
#define MICRORT_DEFINE_WINOGRAD_F32(name, F)                                                       \
  void WinogradInput2_##name(const WinogradInput& tile) { WinogradTransformInput<F, 2>(tile); }    \
  void WinogradInput4_##name(const WinogradInput& tile) { WinogradTransformInput<F, 4>(tile); }    \
  void WinogradOutput2_##name(const WinogradOutput& tile) { WinogradTransformOutput<F, 2>(tile); } \
  void WinogradOutput4_##name(const WinogradOutput& tile) { WinogradTransformOutput<F, 4>(tile); }

}  // namespace
}  // namespace micrort
