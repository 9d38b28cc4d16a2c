#pragma once
// Depthwise convolution of floats or halves by square filters: seven pixels at a time, which divide the
// widths of most networks' images, of as many channels as sums fit into registers beside the weights of one
// row of the filter.

#include <cstddef>

#include "kernels/dwconv/dwconv_tile.h"

namespace micrort {
namespace {

constexpr int kDwConvPixels = 7;

// Filters of K x K taps side by side over even columns (see DwConvTile), pixels S columns apart. Every column
// is loaded once for all pixels that it lies under. Ops:
//   Element, Vector, kLanes           of tensors, of registers, and how many of the former are in the latter
//   kVectors, kPackedLanes            vectors of channels at a time; of packed weights
//   Load(p, v), Store(p, v)           kVectors vectors side by side
//   LoadNext(&p, bytes, v)            the same, and moves p on by so many bytes
//   Bias(p)                           a vector of floats, as elements
//   Narrow(float), Duplicate(p)       an element; a vector of one
//   Zero(), MulAdd(sum, x, w), Add(a, b), Clamp(v, lo, hi)
template <typename Ops, int K, int S>
class DwConvFilter {
 public:
  using Element = typename Ops::Element;
  using Tile = DwConvTile<Element>;

  explicit DwConvFilter(const Tile& t) : t_(t), bounds_{Ops::Narrow(t.lo), Ops::Narrow(t.hi)} {
#pragma GCC unroll 1
    for (int ky = 0; ky < K; ++ky) {
      const Element* const* x = t.columns[ky * K];
      Row& row = rows_[ky];
      row.inner = x[kEdge];
      row.spacing = (x[kEdge + 1] - x[kEdge]) * static_cast<ptrdiff_t>(sizeof(Element));
      for (int i = 0; i < kEdge; ++i) {
        row.edges[i] = x[i];
        row.edges[kEdge + i] = x[kColumns - kEdge + i];
      }
    }
  }

  // Channels [first, end), whole steps.
  void Run(size_t first, size_t end) const {
    for (size_t c = first; c < end; c += kStep) {
      Channels sums[kDwConvPixels];
      Start(c, sums);
      const Element* w = t_.w + c / kPackedLanes * kPackedLanes * K * K + c % kPackedLanes;
#pragma GCC unroll 1
      for (int ky = 0; ky < K; ++ky, w += kPackedLanes * K) AddRow(rows_[ky], c, w, sums);
      Finish(c, sums);
    }
  }

 private:
  using Vector = typename Ops::Vector;
  using Channels = Vector[Ops::kVectors];
  static constexpr int kVectors = Ops::kVectors;
  static constexpr size_t kPackedLanes = Ops::kPackedLanes, kStep = Ops::kLanes * Ops::kVectors;
  static constexpr int kColumns = (kDwConvPixels - 1) * S + K, kEdge = K / 2;

  struct Row {
    const Element* edges[2 * kEdge];  // its first and last columns
    const Element* inner;             // the one behind the first ones
    ptrdiff_t spacing;                // bytes from it to the next, and so on
  };

  void Start(size_t c, Channels (&sums)[kDwConvPixels]) const {
#pragma GCC unroll 2
    for (int j = 0; j < kVectors; ++j) {
      const Vector bias =
          t_.bias == nullptr ? Ops::Zero() : Ops::Bias(t_.bias + c + Ops::kLanes * static_cast<size_t>(j));
#pragma GCC unroll 7
      for (int i = 0; i < kDwConvPixels; ++i) sums[i][j] = bias;
    }
  }

  // A column lies under tap k of pixel (column - k) / S.
  static void AddColumn(int column, const Channels& x, const Channels (&w)[K],
                        Channels (&sums)[kDwConvPixels]) {
#pragma GCC unroll 8
    for (int k = 0; k < K; ++k) {
      const int pixel = (column - k) / S;
      if (column < k || (column - k) % S != 0 || pixel >= kDwConvPixels) continue;
#pragma GCC unroll 2
      for (int j = 0; j < kVectors; ++j) sums[pixel][j] = Ops::MulAdd(sums[pixel][j], x[j], w[k][j]);
    }
  }

  static void AddRow(const Row& row, size_t c, const Element* weights, Channels (&sums)[kDwConvPixels]) {
    Channels w[K], x;
#pragma GCC unroll 8
    for (int k = 0; k < K; ++k) Ops::Load(weights + kPackedLanes * static_cast<size_t>(k), w[k]);
    const Element* inner = row.inner + c;
    const ptrdiff_t spacing = row.spacing;
#pragma GCC unroll 32
    for (int column = 0; column < kColumns; ++column) {
      if (column < kEdge) {
        Ops::Load(row.edges[column] + c, x);
      } else if (column >= kColumns - kEdge) {
        Ops::Load(row.edges[column - kColumns + 2 * kEdge] + c, x);
      } else {
        Ops::LoadNext(&inner, spacing, x);
      }
      AddColumn(column, x, w, sums);
    }
  }

  void Finish(size_t c, const Channels (&sums)[kDwConvPixels]) const {
    const Vector lo = Ops::Duplicate(bounds_), hi = Ops::Duplicate(bounds_ + 1);
    const size_t stride = t_.y_stride;
    Element* y = t_.y + c;
    if (t_.start == nullptr && t_.m == kDwConvPixels) {
#pragma GCC unroll 7
      for (int i = 0; i < kDwConvPixels; ++i, y += stride) FinishPixel(sums[i], lo, hi, y);
      return;
    }
    const int pixels = static_cast<int>(t_.m);
    const Element* start = t_.start == nullptr ? nullptr : t_.start + c;
#pragma GCC unroll 7
    for (int i = 0; i < kDwConvPixels; ++i, y += stride) {
      if (i == pixels) return;
      Channels v;
#pragma GCC unroll 2
      for (int j = 0; j < kVectors; ++j) v[j] = sums[i][j];
      if (start != nullptr) {
        Channels from;
        Ops::Load(start, from);
#pragma GCC unroll 2
        for (int j = 0; j < kVectors; ++j) v[j] = Ops::Add(from[j], v[j]);
        start += stride;
      }
      FinishPixel(v, lo, hi, y);
    }
  }

  static void FinishPixel(const Channels& sums, Vector lo, Vector hi, Element* y) {
    Channels v;
#pragma GCC unroll 2
    for (int j = 0; j < kVectors; ++j) v[j] = Ops::Clamp(sums[j], lo, hi);
    Ops::Store(y, v);
  }

  const Tile t_;
  const Element bounds_[2];
  Row rows_[K];
};

}  // namespace
}  // namespace micrort
