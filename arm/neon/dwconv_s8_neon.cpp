// int8 depthwise convolution: inputs and weights become int16, whose products are added to int32 sums of
// eight channels. Sums of layers with one quantization become outputs before they leave their registers.

#include <arm_neon.h>

#include "arm/neon/requantize_8_neon.h"
#include "kernels/dwconv/dwconv_s8.h"

namespace micrort {
namespace {

constexpr size_t kLanes = kDwConvS8Lanes;

struct Sums {
  int32x4_t low, high;
};

inline Sums MulAdd(Sums s, int16x8_t x, int16x8_t w) {
#if MICRORT_ARCH_ARM64
  return {vmlal_s16(s.low, vget_low_s16(x), vget_low_s16(w)), vmlal_high_s16(s.high, x, w)};
#else
  return {vmlal_s16(s.low, vget_low_s16(x), vget_low_s16(w)),
          vmlal_s16(s.high, vget_high_s16(x), vget_high_s16(w))};
#endif
}

// Eight channels, or the first few of them.
struct Whole {
  int8x8_t Load(const int8_t* p) const { return vld1_s8(p); }
};
struct Partial {
  size_t count;
  int8x8_t Load(const int8_t* p) const {
    int8_t bytes[kLanes] = {};
    __builtin_memcpy(bytes, p, count);
    return vld1_s8(bytes);
  }
};

// Of a tap; those of two rows of the filter are side by side.
inline int16x8_t LoadWeights(const int8_t* w, int row) {
  const int8x8x2_t pair = vld2_s8(w);
  return vmovl_s8(row % 2 == 0 ? pair.val[0] : pair.val[1]);
}

// Square filters of K x K taps side by side, M pixels S columns apart: every column is loaded once for all
// pixels that it lies under.
template <int M, int K, int S>
struct Square {
  static constexpr int kPixels = M;

  template <typename Access>
  static void Add(const DwConvS8Tile& t, ptrdiff_t first, size_t offset, const int8_t* w, Access access,
                  Sums (&sums)[M]) {
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
                     Sums (&sums)[M]) {
    int16x8_t w[K];
#pragma GCC unroll 8
    for (int k = 0; k < K; ++k) w[k] = LoadWeights(weights + 2 * kLanes * static_cast<size_t>(k), kRow);
#pragma GCC unroll 32
    for (int column = 0; column < (M - 1) * S + K; ++column) {
      const int16x8_t x = vmovl_s8(access.Load(columns[column] + offset));
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
struct Any {
  static constexpr int kPixels = M;

  template <typename Access>
  static void Add(const DwConvS8Tile& t, ptrdiff_t first, size_t offset, const int8_t* w, Access access,
                  Sums (&sums)[M]) {
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

// Channels [c, c + 8) of pixels [pixel, pixel + Filter::kPixels). Outputs exist up to t.m.
template <typename Filter, typename Access>
inline void Block(const DwConvS8Tile& t, size_t pixel, size_t c, Access access) {
  constexpr int M = Filter::kPixels;
  const GemmS8Output* output = t.output;
  Sums sums[M];
  Sums start = {vdupq_n_s32(0), vdupq_n_s32(0)};
  if (output != nullptr) start = {vld1q_s32(output->bias + c), vld1q_s32(output->bias + c + 4)};
#pragma GCC unroll 8
  for (int i = 0; i < M; ++i) sums[i] = start;
  const int8_t* w = t.w + c * DwConvS8ChannelBytes(t.kernel_h, t.kernel_w);
  Filter::Add(t, static_cast<ptrdiff_t>(pixel) * t.step, t.x_offset + c, w, access, sums);
  if (output == nullptr) {
    int32_t* out = t.acc + pixel * t.acc_stride + c;
    const size_t stride = t.acc_stride;
#pragma GCC unroll 8
    for (int i = 0; i < M; ++i, out += stride) {
      vst1q_s32(out, sums[i].low);
      vst1q_s32(out + 4, sums[i].high);
    }
    return;
  }
  const Requantize8 requantize(output->multipliers + c, output->multipliers + c + 4, output->zero_point,
                               output->lo, output->hi);
  const size_t stride = output->stride;
  const int pixels = static_cast<int>(t.m - pixel);
  int8_t* y = output->y + pixel * stride + c;
#pragma GCC unroll 8
  for (int i = 0; i < M; ++i, y += stride) {
    if (i == pixels) return;
    vst1_s8(y, requantize(sums[i].low, sums[i].high));
  }
}

template <typename Filter>
__attribute__((noinline)) void Run(const DwConvS8Tile& t) {
  for (size_t pixel = 0; pixel < t.m; pixel += Filter::kPixels) {
    size_t c = 0;
    for (; c + kLanes <= t.channels; c += kLanes) Block<Filter>(t, pixel, c, Whole());
    if (c == t.channels) continue;
    // Rare, so that one copy serves all filters.
    for (size_t i = 0; i < Filter::kPixels; ++i) Block<Any<1>>(t, pixel + i, c, Partial{t.channels - c});
  }
}

template <int M>
inline void RunTile(DwConvS8Tile t) {
  // Parts of a vector are written as sums.
  if (t.channels % kLanes != 0) t.output = nullptr;
  if (t.output != nullptr) *t.written = true;
  const bool square = t.adjacent && t.kernel_h == t.kernel_w && (t.step == 1 || t.step == 2);
  if (square && t.kernel_w == 3) return t.step == 1 ? Run<Square<M, 3, 1>>(t) : Run<Square<M, 3, 2>>(t);
  if (square && t.kernel_w == 5) return t.step == 1 ? Run<Square<M, 5, 1>>(t) : Run<Square<M, 5, 2>>(t);
  Run<Any<M>>(t);
}

}  // namespace

// As many pixels as sums fit into registers. ARMv7 has half of AArch64's; its tile is two of these.
#if MICRORT_ARCH_ARM64
void DwConvS8_neon_7(const DwConvS8Tile& tile) { RunTile<7>(tile); }
#else
void DwConvS8_neon_8(const DwConvS8Tile& tile) { RunTile<4>(tile); }
#endif

}  // namespace micrort
