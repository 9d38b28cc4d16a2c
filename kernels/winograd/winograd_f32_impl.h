#pragma once
// The transforms over a vector type F of eight lanes (kernels/base/simd/vec8.h). Points: 0, 1, -1, infinity
// for F(2, 3), and 2, -2 too for F(4, 3).

#include "kernels/winograd/winograd_f32.h"

namespace micrort {
namespace {

// One-dimensional transforms. Elements of input and output are `from_step` and `to_step` vectors apart.
template <typename F, int M>
struct Winograd1D;

template <typename F>
struct Winograd1D<F, 2> {
  static void Input(const F* d, int from_step, F* v, int to_step) {
    const F d0 = d[0], d1 = d[from_step], d2 = d[2 * from_step], d3 = d[3 * from_step];
    v[0] = d0 - d2;
    v[to_step] = d1 + d2;
    v[2 * to_step] = d2 - d1;
    v[3 * to_step] = d1 - d3;
  }
  static void Output(const F* p, int from_step, F* y, int to_step) {
    const F p0 = p[0], p1 = p[from_step], p2 = p[2 * from_step], p3 = p[3 * from_step];
    y[0] = p0 + p1 + p2;
    y[to_step] = p1 - p2 - p3;
  }
};

template <typename F>
struct Winograd1D<F, 4> {
  static void Input(const F* d, int from_step, F* v, int to_step) {
    const F two = F::Broadcast(2.0f), four = F::Broadcast(4.0f), five = F::Broadcast(5.0f);
    const F d0 = d[0], d1 = d[from_step], d2 = d[2 * from_step];
    const F d3 = d[3 * from_step], d4 = d[4 * from_step], d5 = d[5 * from_step];
    const F even1 = d4 - four * d2, odd1 = d3 - four * d1;
    const F even2 = d4 - d2, odd2 = two * (d3 - d1);
    v[0] = four * d0 - five * d2 + d4;
    v[to_step] = even1 + odd1;
    v[2 * to_step] = even1 - odd1;
    v[3 * to_step] = even2 + odd2;
    v[4 * to_step] = even2 - odd2;
    v[5 * to_step] = four * d1 - five * d3 + d5;
  }
  static void Output(const F* p, int from_step, F* y, int to_step) {
    const F two = F::Broadcast(2.0f), four = F::Broadcast(4.0f), eight = F::Broadcast(8.0f);
    const F p1 = p[from_step], p2 = p[2 * from_step], p3 = p[3 * from_step], p4 = p[4 * from_step];
    const F even1 = p1 + p2, odd1 = p1 - p2, even2 = p3 + p4, odd2 = p3 - p4;
    y[0] = p[0] + even1 + even2;
    y[to_step] = odd1 + two * odd2;
    y[2 * to_step] = even1 + four * even2;
    y[3 * to_step] = odd1 + eight * odd2 + p[5 * from_step];
  }
};

// Channels [c, c + 8), or n of them where n < 8.
template <typename F, int M>
inline void WinogradInputBlock(const WinogradInput& t, size_t c, size_t n) {
  constexpr int kSize = M + kWinogradTaps - 1;
  F d[kSize * kSize], v[kSize * kSize];
  for (int i = 0; i < kSize * kSize; ++i) {
    d[i] = n == 8 ? F::Load(t.x[i] + c) : F::LoadPartial(t.x[i] + c, n);
  }
  for (int i = 0; i < kSize; ++i) Winograd1D<F, M>::Input(d + i, kSize, v + i, kSize);
  for (int i = 0; i < kSize; ++i) Winograd1D<F, M>::Input(v + i * kSize, 1, d + i * kSize, 1);
  for (int i = 0; i < kSize * kSize; ++i) {
    float* out = t.v + static_cast<size_t>(i) * t.point_stride + c;
    n == 8 ? d[i].Store(out) : d[i].StorePartial(out, n);
  }
}

template <typename F, int M>
inline void WinogradOutputBlock(const WinogradOutput& t, size_t c, size_t n) {
  constexpr int kSize = M + kWinogradTaps - 1;
  const auto load = [n](const float* p) { return n == 8 ? F::Load(p) : F::LoadPartial(p, n); };
  F p[kSize * kSize], columns[M * kSize], y[M * M];
  for (int i = 0; i < kSize * kSize; ++i)
    p[i] = load(t.products + static_cast<size_t>(i) * t.point_stride + c);
  for (int i = 0; i < kSize; ++i) Winograd1D<F, M>::Output(p + i, kSize, columns + i, kSize);
  for (int i = 0; i < M; ++i) Winograd1D<F, M>::Output(columns + i * kSize, 1, y + i * M, 1);
  for (int i = 0; i < M * M; ++i) {
    if (t.y[i] == nullptr) continue;
    F v = y[i];
    if (t.start != nullptr) v = load(t.start[i] + c) + v;
    if (t.bias != nullptr) v = v + load(t.bias + c);
    // In this order of operands a NaN passes through.
    v = Max(F::Broadcast(t.lo), Min(F::Broadcast(t.hi), v));
    n == 8 ? v.Store(t.y[i] + c) : v.StorePartial(t.y[i] + c, n);
  }
}

template <typename F, int M>
inline void WinogradTransformInput(const WinogradInput& t) {
  size_t c = 0;
  for (; c + 8 <= t.channels; c += 8) WinogradInputBlock<F, M>(t, c, 8);
  if (c < t.channels) WinogradInputBlock<F, M>(t, c, t.channels - c);
}

template <typename F, int M>
inline void WinogradTransformOutput(const WinogradOutput& t) {
  size_t c = 0;
  for (; c + 8 <= t.channels; c += 8) WinogradOutputBlock<F, M>(t, c, 8);
  if (c < t.channels) WinogradOutputBlock<F, M>(t, c, t.channels - c);
}

// Defines the functions of one row over the F32x8 that the file has included.
#define MICRORT_DEFINE_WINOGRAD_F32(name)                                                              \
  void WinogradInput2_##name(const WinogradInput& tile) { WinogradTransformInput<F32x8, 2>(tile); }    \
  void WinogradInput4_##name(const WinogradInput& tile) { WinogradTransformInput<F32x8, 4>(tile); }    \
  void WinogradOutput2_##name(const WinogradOutput& tile) { WinogradTransformOutput<F32x8, 2>(tile); } \
  void WinogradOutput4_##name(const WinogradOutput& tile) { WinogradTransformOutput<F32x8, 4>(tile); }

}  // namespace
}  // namespace micrort
