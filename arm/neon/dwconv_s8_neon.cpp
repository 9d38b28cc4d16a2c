// int8 depthwise convolution: inputs and weights become int16, whose products are added to int32 sums of
// eight channels.

#include "arm/neon/dwconv_s8_block.h"

namespace micrort {
namespace {

constexpr size_t kLanes = kDwConvS8Lanes;
constexpr int kRowsSideBySide = 2;

inline DwConvS8Sums MulAdd(DwConvS8Sums s, int16x8_t x, int16x8_t w) {
#if MICRORT_ARCH_ARM64
  return {vmlal_s16(s.low, vget_low_s16(x), vget_low_s16(w)), vmlal_high_s16(s.high, x, w)};
#else
  return {vmlal_s16(s.low, vget_low_s16(x), vget_low_s16(w)),
          vmlal_s16(s.high, vget_high_s16(x), vget_high_s16(w))};
#endif
}

// The weights of a tap; those of two rows of the filter are side by side.
inline int16x8_t LoadWeights(const int8_t* w, int row) {
  const int8x8x2_t pair = vld2_s8(w);
  return vmovl_s8(row % 2 == 0 ? pair.val[0] : pair.val[1]);
}

// Eight channels of a column, and by so many bytes on to the next: one instruction, which compilers do not
// find.
inline int8x8_t LoadAndStep(const int8_t** p, ptrdiff_t bytes) {
  struct Eight {
    int8_t x[kLanes];
  };
  int8x8_t v;
#if MICRORT_ARCH_ARM64
  __asm__("ld1 {%0.8b}, [%1], %2"
#else
  __asm__("vld1.8 {%P0}, [%1], %2"
#endif
          : "=w"(v), "+r"(*p)
          : "r"(bytes), "m"(*reinterpret_cast<const Eight*>(*p)));
  return v;
}

// Square filters of K x K taps side by side, M pixels S columns apart: every column is loaded once for all
// pixels that it lies under. kEven: of even tiles of M pixels or more (see DwConvS8Tile).
template <int M, int K, int S, bool kEven>
struct SquareFilter {
  static constexpr int kPixels = M, kRows = kRowsSideBySide, kSize = K;

  template <typename Access>
  static void Add(const DwConvS8Tile& t, ptrdiff_t first, size_t offset, const int8_t* w, Access access,
                  DwConvS8Sums (&sums)[M]) {
#pragma GCC unroll 1
    for (int ky = 0; ky < K - 1; ky += 2) {
      AddRow<0>(t.columns[ky * K] + first, offset, w + 2 * kLanes * K * (ky / 2), access, sums);
      AddRow<1>(t.columns[(ky + 1) * K] + first, offset, w + 2 * kLanes * K * (ky / 2), access, sums);
    }
    AddRow<0>(t.columns[(K - 1) * K] + first, offset, w + 2 * kLanes * K * (K / 2), access, sums);
  }

 private:
  template <int kRow, typename Access>
  static void AddRow(const int8_t* const* columns, size_t offset, const int8_t* weights, Access access,
                     DwConvS8Sums (&sums)[M]) {
    int16x8_t w[K];
#pragma GCC unroll 8
    for (int k = 0; k < K; ++k) w[k] = LoadWeights(weights + 2 * kLanes * static_cast<size_t>(k), kRow);
    constexpr int kColumns = (M - 1) * S + K, kEdge = kEven ? K / 2 : kColumns;
    const int8_t* inner = columns[kEdge % kColumns] + offset;
    const ptrdiff_t spacing = kEven ? columns[kEdge + 1] - columns[kEdge] : 0;
#pragma GCC unroll 32
    for (int column = 0; column < kColumns; ++column) {
      const bool is_inner = column >= kEdge && column < kColumns - kEdge;
      const int16x8_t x =
          vmovl_s8(is_inner ? LoadAndStep(&inner, spacing) : access.Load(columns[column] + offset));
#pragma GCC unroll 8
      for (int k = 0; k < K; ++k) {
        const int pixel = (column - k) / S;
        if (column >= k && (column - k) % S == 0 && pixel < M) sums[pixel] = MulAdd(sums[pixel], x, w[k]);
      }
    }
  }
};

// Filters of any size and steps.
template <int M>
struct AnyFilter {
  static constexpr int kPixels = M, kRows = kRowsSideBySide, kSize = 0;

  template <typename Access>
  static void Add(const DwConvS8Tile& t, ptrdiff_t first, size_t offset, const int8_t* w, Access access,
                  DwConvS8Sums (&sums)[M]) {
    for (size_t ky = 0; ky < t.kernel_h; ++ky) {
      for (size_t kx = 0; kx < t.kernel_w; ++kx) {
        const int8_t* const* columns = t.columns[ky * t.kernel_w + kx] + first;
        const int16x8_t weights =
            LoadWeights(w + 2 * kLanes * (ky / 2 * t.kernel_w + kx), static_cast<int>(ky % 2));
#pragma GCC unroll 8
        for (int i = 0; i < M; ++i) {
          sums[i] = MulAdd(sums[i], vmovl_s8(access.Load(columns[i * t.step] + offset)), weights);
        }
      }
    }
  }
};

template <int M, int kTail>
struct Filters {
  template <int K, int S>
  using Square = SquareFilter<M, K, S, false>;
  template <int K, int S>
  using EvenSquare = SquareFilter<M, K, S, true>;
  template <int K, int S>
  using EvenTail = SquareFilter<kTail, K, S, true>;
  using Any = AnyFilter<M>;
  using One = AnyFilter<1>;
};

}  // namespace

// As many pixels as sums fit into registers. ARMv7 has half of AArch64's; its tile is two of these. Most
// widths are multiples of seven, or of two.
#if MICRORT_ARCH_ARM64
void DwConvS8_neon_7(const DwConvS8Tile& tile) { DwConvS8RunTile<Filters<7, 7>>(tile); }
#else
void DwConvS8_neon_8(const DwConvS8Tile& tile) { DwConvS8RunTile<Filters<4, 2>>(tile); }
#endif

}  // namespace micrort
