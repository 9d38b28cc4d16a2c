#pragma once
// Square filters that slide over a row of pixels, for vector types F of floats with enough registers for all
// weights of a filter: each input is loaded once and added to the sums of all pixels that it lies under.

#include "kernels/dwconv/dwconv_f32_impl.h"

namespace micrort {
namespace {

// Filters of K x K taps, at least two pixels, S columns apart; V vectors of channels at a time, so that
// neighbours in memory are used together. Sums run down the columns.
template <typename F, int K, int S, int V>
class DwConvSlide {
 public:
  explicit DwConvSlide(const DwConvF32Tile& t) : t_(t), inner_((t.m - 1) * S + K - 2 * kEdge) {
#pragma GCC unroll 1
    for (int ky = 0; ky < K; ++ky) {
      const float* const* x = t.columns[ky * K];
      x_[ky] = x[kEdge];
      spacing_[ky] = x[kEdge + 1] - x[kEdge];
      for (size_t i = 0; i < kEdge; ++i) {
        first_[i][ky] = x[i];
        last_[i][ky] = x[kEdge + inner_ + i];
      }
    }
    const size_t ahead = t.m * t.channels <= kNearElements ? t.m : 0;
    x_ahead_ = static_cast<ptrdiff_t>(ahead) * spacing_[K - 1];
    y_ahead_ = ahead * t.y_stride;
  }

  void Run() const {
    size_t c = 0;
    for (; V > 1 && c + kLanes * V <= t_.channels; c += kLanes * V) Slide<V>(c, {kLanes});
    for (; c < t_.channels; c += kLanes) {
      const size_t left = t_.channels - c;
      Slide<1>(c, {left < kLanes ? left : kLanes});
    }
  }

 private:
  // Pixels that a column lies under; columns at either end that are not spaced like the others.
  static constexpr int kSums = (K + S - 1) / S, kEdge = K / 2;
  static constexpr size_t kLanes = kDwConvLanesOf<F>;
  // What lies further ahead would leave the first-level cache again before it is used.
  static constexpr size_t kNearElements = 1536;
  // A part of a vector is as fast as a whole one.
  using Access = DwConvPartial<F>;
  using Pointers = const float* [K];

  // Adds a column that lies under tap `position` of the first sum's pixel.
  template <int N>
  static void AddColumn(const Pointers& x, size_t c, int position, const F (&w)[N][K][K], Access access,
                        F (&sums)[N][kSums]) {
#pragma GCC unroll 8
    for (int ky = 0; ky < K; ++ky) {
#pragma GCC unroll 2
      for (int j = 0; j < N; ++j) {
        const F v = access.Load(x[ky] + c + kLanes * j);
#pragma GCC unroll 8
        for (int i = 0; i < kSums; ++i) {
          const int kx = position - i * S;
          if (kx >= 0 && kx < K) sums[j][i] = Fma(v, w[j][ky][kx], sums[j][i]);
        }
      }
    }
  }

  void Next(Pointers& x) const {
#pragma GCC unroll 8
    for (int ky = 0; ky < K; ++ky) x[ky] += spacing_[ky];
  }

  // Brings in N vectors. With S > 1 it was no gain.
  template <int N>
  static void Fetch(const float* p) {
#pragma GCC unroll 2
    for (int j = 0; S == 1 && j < N; ++j) __builtin_prefetch(p + kLanes * j);
  }

  // N vectors of channels of all pixels.
  template <int N>
  void Slide(size_t c, Access access) const {
    F w[N][K][K], bias[N], sums[N][kSums];
#pragma GCC unroll 2
    for (int j = 0; j < N; ++j) {
      const float* weights = t_.w + (c + kLanes * j) * K * K;
#pragma GCC unroll 32
      for (int k = 0; k < K * K; ++k) w[j][k / K][k % K] = F::Load(weights + kLanes * k);
      bias[j] = t_.bias == nullptr ? F::Zero() : access.Load(t_.bias + c + kLanes * j);
#pragma GCC unroll 8
      for (int i = 0; i < kSums; ++i) sums[j][i] = bias[j];
    }
    Pointers x;
#pragma GCC unroll 8
    for (int ky = 0; ky < K; ++ky) x[ky] = x_[ky];

#pragma GCC unroll 8
    for (int i = 0; i < K - S; ++i) {
      AddColumn(i < kEdge ? first_[i] : x, c, i, w, access, sums);
      if (i >= kEdge) Next(x);
    }
    size_t inner = inner_ - (K - S - kEdge);
    const Pointers* last = last_;
    for (size_t pixel = 0; pixel < t_.m; ++pixel) {
#pragma GCC unroll 8
      for (int i = K - S; i < K; ++i) {
        if (inner == 0) {
          for (int ky = 0; ky < K; ++ky) x[ky] = (*last)[ky];
          ++last;
        } else {
          --inner;
        }
        AddColumn(x, c, i, w, access, sums);
        Fetch<N>(x[K - 1] + x_ahead_ + c);
        Next(x);
      }
      Fetch<N>(t_.y + pixel * t_.y_stride + y_ahead_ + c);
#pragma GCC unroll 2
      for (int j = 0; j < N; ++j) {
        Finish(pixel * t_.y_stride + c + kLanes * j, access, sums[j][0]);
#pragma GCC unroll 8
        for (int i = 0; i + 1 < kSums; ++i) sums[j][i] = sums[j][i + 1];
        sums[j][kSums - 1] = bias[j];
      }
    }
  }

  void Finish(size_t at, Access access, F sum) const {
    if (t_.start != nullptr) sum = access.Load(t_.start + at) + sum;
    // In this order of operands a NaN passes through.
    access.Store(Max(F::Broadcast(t_.lo), Min(F::Broadcast(t_.hi), sum)), t_.y + at);
  }

  const DwConvF32Tile t_;
  const size_t inner_;  // columns that are evenly spaced
  Pointers x_;          // the first of them, in each row
  ptrdiff_t spacing_[K];
  Pointers first_[kEdge], last_[kEdge];
  // From a pixel's output, and from its input in the one row that no output above has read, to those of the
  // same pixel of the next run, which CPUs do not foresee; or 0.
  size_t y_ahead_;
  ptrdiff_t x_ahead_;
};

template <typename F, int K, int V>
inline size_t DwConvSlideSteps(const DwConvF32Tile& t) {
  if (t.step == 1) {
    DwConvSlide<F, K, 1, V>(t).Run();
  } else {
    DwConvSlide<F, K, 2, V>(t).Run();
  }
  return t.channels;
}

// Filters of 7x7 have too many weights and take M pixels at a time. Where columns are not even, sums run in
// the same order.
template <typename F, int M>
inline void DwConvF32Sliding(const DwConvF32Tile& t) {
  const size_t size = DwConvF32Square(t);
  size_t c = 0;
  switch (t.even && t.m > 1 ? size : 0) {
    case 3:
      c = DwConvSlideSteps<F, 3, 2>(t);
      break;
    case 5:
      c = DwConvSlideSteps<F, 5, 1>(t);
      break;
    case 7:
      c = DwConvEvenSteps<F, M, 1, 7>(t);
      break;
    default:
      break;
  }
  DwConvF32Any<F, M>(t, c, size == 3 || size == 5 ? size : 1);
}

}  // namespace
}  // namespace micrort
