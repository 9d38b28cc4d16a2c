// int8 depthwise convolution by dot products.

#include "arm/dotprod/dwconv_s8_slide.h"
#include "arm/dotprod/dwconv_s8_taps.h"

namespace micrort {
namespace {

constexpr int kPixelsAtATime = 7;

// Square filters of K x K taps side by side, pixels S columns apart: every column is loaded and interleaved
// once for all pixels that it lies under.
template <int K, int S>
struct SquareFilter {
  static constexpr int kPixels = kPixelsAtATime, kRows = kDotRows, kSize = K;

  template <typename Access>
  static void Add(const DwConvS8Tile& t, ptrdiff_t first, size_t offset, const int8_t* w, Access access,
                  DwConvS8Sums (&sums)[kPixels]) {
    AddRows<(K < kRows ? K : kRows)>(t.columns, first, offset, w, access, sums);
    if constexpr (K > kRows) {
      AddRows<K - kRows>(t.columns + kRows * K, first, offset, w + DotTaps::kBytes * K, access, sums);
    }
  }

 private:
  static_assert(K <= 2 * kRows);

  template <int N, typename Access>
  static void AddRows(const int8_t* const* const* taps, ptrdiff_t first, size_t offset, const int8_t* weights,
                      Access access, DwConvS8Sums (&sums)[kPixels]) {
    DotTaps w[K];
#pragma GCC unroll 8
    for (int k = 0; k < K; ++k) w[k] = DotTaps::Load(weights + DotTaps::kBytes * static_cast<size_t>(k));
#pragma GCC unroll 32
    for (int column = 0; column < (kPixels - 1) * S + K; ++column) {
      int8x16_t rows[N];
#pragma GCC unroll 4
      for (int i = 0; i < N; ++i) {
        rows[i] = vcombine_s8(access.Load(taps[i * K][first + column] + offset), vdup_n_s8(0));
      }
      const DotTaps x = Interleave(rows);
#pragma GCC unroll 8
      for (int k = 0; k < K; ++k) {
        const int pixel = (column - k) / S;
        if (column >= k && (column - k) % S == 0 && pixel < kPixels) sums[pixel] = Dot(sums[pixel], x, w[k]);
      }
    }
  }
};

// Filters of any size and steps.
template <int M>
struct AnyFilter {
  static constexpr int kPixels = M, kRows = kDotRows, kSize = 0;

  template <typename Access>
  static void Add(const DwConvS8Tile& t, ptrdiff_t first, size_t offset, const int8_t* w, Access access,
                  DwConvS8Sums (&sums)[M]) {
    for (size_t ky = 0; ky < t.kernel_h; ky += kRows) {
      for (size_t kx = 0; kx < t.kernel_w; ++kx, w += DotTaps::kBytes) {
        const int8_t* const* columns[kRows];
        for (size_t i = 0; i < kRows; ++i) {
          const size_t row = ky + i < t.kernel_h ? ky + i : ky;
          columns[i] = t.columns[row * t.kernel_w + kx] + first;
        }
        const DotTaps weights = DotTaps::Load(w);
#pragma GCC unroll 8
        for (int i = 0; i < M; ++i) {
          int8x16_t rows[kRows];
#pragma GCC unroll 4
          for (int j = 0; j < kRows; ++j) {
            rows[j] = vcombine_s8(access.Load(columns[j][i * t.step] + offset), vdup_n_s8(0));
          }
          sums[i] = Dot(sums[i], Interleave(rows), weights);
        }
      }
    }
  }
};

struct Filters {
  template <int K, int S>
  using Square = SquareFilter<K, S>;
  template <int K, int S>
  using EvenSquare = Square<K, S>;
  template <int K, int S>
  using EvenTail = Square<K, S>;
  using Any = AnyFilter<kPixelsAtATime>;
  using One = AnyFilter<1>;
};

}  // namespace

void DwConvS8_dotprod_7(const DwConvS8Tile& tile) {
  if (!DwConvS8Slides(tile)) return DwConvS8RunTile<Filters>(tile);
  *tile.written = true;
  tile.step == 1 ? DwConvS8Slide<1>(tile) : DwConvS8Slide<2>(tile);
}

}  // namespace micrort
