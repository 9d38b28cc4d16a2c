#pragma once
// The float depthwise micro-kernel over a vector type F of floats (as F32x8 of kernels/base/simd/vec8.h): M
// pixels and V vectors of channels at a time.

#include "kernels/dwconv/dwconv_f32.h"

namespace micrort {
namespace {

template <typename F>
constexpr size_t kDwConvLanesOf = sizeof(F) / sizeof(float);

// A vector of channels, or the last few of them.
template <typename F>
struct DwConvWhole {
  F Load(const float* p) const { return F::Load(p); }
  void Store(F v, float* p) const { v.Store(p); }
};
template <typename F>
struct DwConvPartial {
  size_t count;
  F Load(const float* p) const { return F::LoadPartial(p, count); }
  void Store(F v, float* p) const { v.StorePartial(p, count); }
};

// What sums of the channels from c on begin with.
template <typename F, int M, int V, typename Access>
inline void DwConvStart(const DwConvF32Tile& t, size_t c, Access access, F (&acc)[M][V]) {
#pragma GCC unroll 2
  for (int j = 0; j < V; ++j) {
    const F bias = t.bias == nullptr ? F::Zero() : access.Load(t.bias + c + kDwConvLanesOf<F> * j);
#pragma GCC unroll 8
    for (int i = 0; i < M; ++i) acc[i][j] = bias;
  }
}

template <typename F, int M, int V, typename Access>
inline void DwConvFinish(const DwConvF32Tile& t, size_t c, Access access, const F (&acc)[M][V]) {
  const F lo = F::Broadcast(t.lo), hi = F::Broadcast(t.hi);
  // Unrolled, so that the sums stay in registers.
#pragma GCC unroll 8
  for (size_t i = 0; i < M; ++i) {
    if (i >= t.m) break;
#pragma GCC unroll 2
    for (size_t j = 0; j < V; ++j) {
      const size_t at = i * t.y_stride + c + kDwConvLanesOf<F> * j;
      F v = acc[i][j];
      if (t.start != nullptr) v = access.Load(t.start + at) + v;
      // In this order of operands a NaN passes through.
      access.Store(Max(lo, Min(hi, v)), t.y + at);
    }
  }
}

// Filters of any shape and steps, channels [c, c + lanes) or the last few of them. Sums take every
// `lines`-th tap at a time.
template <typename F, int M, typename Access>
inline void DwConvAnyBlock(const DwConvF32Tile& t, size_t c, size_t lines, Access access) {
  F acc[M][1];
  DwConvStart(t, c, access, acc);
  const size_t taps = t.kernel_h * t.kernel_w;
  const float* w = t.w + c * taps;
  for (size_t line = 0; line < lines; ++line) {
    for (size_t k = line; k < taps; k += lines) {
      const float* const* x = t.columns[k];
      const F weights = F::Load(w + k * kDwConvLanesOf<F>);
#pragma GCC unroll 8
      for (int i = 0; i < M; ++i) acc[i][0] = Fma(access.Load(x[i * t.step] + c), weights, acc[i][0]);
    }
  }
  DwConvFinish(t, c, access, acc);
}

// The same for all channels from c on.
template <typename F, int M>
inline void DwConvF32Any(const DwConvF32Tile& t, size_t c = 0, size_t lines = 1) {
  constexpr size_t kLanes = kDwConvLanesOf<F>;
  for (; c + kLanes <= t.channels; c += kLanes) DwConvAnyBlock<F, M>(t, c, lines, DwConvWhole<F>());
  if (c < t.channels) DwConvAnyBlock<F, M>(t, c, lines, DwConvPartial<F>{t.channels - c});
}

// Square filters of K x K taps side by side over even columns, pixels S columns apart. Each column is loaded
// once, for all pixels that it lies under. Nothing is a loop but the channels (and the rows of large
// filters), so that every load has a stride of its own, which CPUs foresee, and pointers to columns follow
// from a few.
template <typename F, int M, int V, int K, int S>
struct DwConvEven {
  static constexpr int kColumns = (M - 1) * S + K, kEdge = K / 2;
  static constexpr size_t kLanes = kDwConvLanesOf<F>;

  struct Row {
    const float* edges[2 * kEdge];  // its first and last columns
    const float* inner;             // the one behind the first ones
    ptrdiff_t spacing;              // from it to the next, and so on

    void Set(const float* const* x) {
      inner = x[kEdge];
      spacing = x[kEdge + 1] - inner;
      for (int i = 0; i < kEdge; ++i) {
        edges[i] = x[i];
        edges[kEdge + i] = x[kColumns - kEdge + i];
      }
    }
    const float* column(int i) const {
      if (i < kEdge) return edges[i];
      if (i >= kColumns - kEdge) return edges[i - kColumns + 2 * kEdge];
      return inner + (i - kEdge) * spacing;
    }
  };

  static void AddRow(const Row& row, size_t c, const float* w, size_t next, F (&acc)[M][V]) {
    F weights[K][V];
#pragma GCC unroll 8
    for (int k = 0; k < K; ++k) {
#pragma GCC unroll 2
      for (int j = 0; j < V; ++j) weights[k][j] = F::Load(w + kLanes * k + next * j);
    }
#pragma GCC unroll 32
    for (int column = 0; column < kColumns; ++column) {
#pragma GCC unroll 2
      for (int j = 0; j < V; ++j) {
        const F v = F::Load(row.column(column) + c + kLanes * j);
#pragma GCC unroll 8
        for (int k = 0; k < K; ++k) {
          const int pixel = (column - k) / S;
          if (column >= k && (column - k) % S == 0 && pixel < M) {
            acc[pixel][j] = Fma(v, weights[k][j], acc[pixel][j]);
          }
        }
      }
    }
  }

  // All whole steps of V vectors; returns how many channels these are. The rows are in memory, because there
  // are more pointers than registers.
  __attribute__((noinline)) static size_t Channels(const DwConvF32Tile t, const Row* rows) {
    size_t c = 0;
    for (; c + kLanes * V <= t.channels; c += kLanes * V) {
      F acc[M][V];
      DwConvStart(t, c, DwConvWhole<F>(), acc);
      const float* w = t.w + c * K * K;
      if constexpr (K <= 5) {
#pragma GCC unroll 8
        for (int ky = 0; ky < K; ++ky) AddRow(rows[ky], c, w + kLanes * K * ky, kLanes * K * K, acc);
      } else {  // copies of a row as long as this would take more code than they are worth
#pragma GCC unroll 1
        for (int ky = 0; ky < K; ++ky) AddRow(rows[ky], c, w + kLanes * K * ky, kLanes * K * K, acc);
      }
      DwConvFinish(t, c, DwConvWhole<F>(), acc);
    }
    return c;
  }
  static size_t Run(const DwConvF32Tile& t) {
    Row rows[K];
#pragma GCC unroll 1
    for (int ky = 0; ky < K; ++ky) rows[ky].Set(t.columns[ky * K]);
    return Channels(t, rows);
  }
};

template <typename F, int M, int V, int K>
inline size_t DwConvEvenSteps(const DwConvF32Tile& t) {
  return t.step == 1 ? DwConvEven<F, M, V, K, 1>::Run(t) : DwConvEven<F, M, V, K, 2>::Run(t);
}

// The size of a square filter whose pixels lie one or two columns apart, else 0.
inline size_t DwConvF32Square(const DwConvF32Tile& t) {
  return t.kernel_h == t.kernel_w && (t.step == 1 || t.step == 2) ? t.kernel_w : 0;
}

// With kernels of their own for the usual filters. V: vectors of channels for three taps a row; more taps
// need the registers for their weights.
template <typename F, int M, int V>
inline void DwConvF32(const DwConvF32Tile& t) {
  size_t c = 0;
  switch (t.even ? DwConvF32Square(t) : 0) {
    case 3:
      c = DwConvEvenSteps<F, M, V, 3>(t);
      break;
    case 5:
      c = DwConvEvenSteps<F, M, 1, 5>(t);
      break;
    case 7:
      c = DwConvEvenSteps<F, M, 1, 7>(t);
      break;
    default:
      break;
  }
  DwConvF32Any<F, M>(t, c);
}

}  // namespace
}  // namespace micrort
