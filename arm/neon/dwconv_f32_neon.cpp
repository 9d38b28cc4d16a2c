// Float depthwise convolution: seven pixels at a time, which divide the widths of most networks' images, of
// as many channels as sums fit into registers beside the weights of one row of the filter.

#include <arm_neon.h>

#include "arm/neon/vec8_neon.h"
#include "kernels/dwconv/dwconv_f32_impl.h"
#if MICRORT_ARCH_ARM64
#include "arm/neon/load_pair_aarch64.h"
#endif

namespace micrort {
namespace {

constexpr int kPixels = 7;
constexpr size_t kPackedLanes = 8;
// Vectors of four channels.
constexpr int kVectors = MICRORT_ARCH_ARM64 ? 2 : 1;

using Channels = float32x4_t[kVectors];

inline void Load(const float* p, Channels& v) {
#if MICRORT_ARCH_ARM64
  LoadPairAt(p, &v[0], &v[1]);
#else
  v[0] = vld1q_f32(p);
#endif
}

inline float32x4_t MulAdd(float32x4_t sum, float32x4_t x, float32x4_t w) {
#if MICRORT_ARCH_ARM64
  return vfmaq_f32(sum, x, w);
#else
  return vmlaq_f32(sum, x, w);
#endif
}

// Filters of K x K taps side by side over even columns (see DwConvF32Tile), pixels S columns apart. Every
// column is loaded once for all pixels that it lies under.
template <int K, int S>
class Filter {
 public:
  explicit Filter(const DwConvF32Tile& t) : t_(t) {
#pragma GCC unroll 1
    for (int ky = 0; ky < K; ++ky) {
      const float* const* x = t.columns[ky * K];
      Row& row = rows_[ky];
      row.inner = x[kEdge];
      row.spacing = x[kEdge + 1] - x[kEdge];
      for (int i = 0; i < kEdge; ++i) {
        row.edges[i] = x[i];
        row.edges[kEdge + i] = x[kColumns - kEdge + i];
      }
    }
  }

  // All whole blocks of packed channels; returns how many channels these are.
  size_t Run() const {
    const size_t channels = t_.channels / kPackedLanes * kPackedLanes;
    for (size_t c = 0; c < channels; c += 4 * kVectors) {
      Channels sums[kPixels];
      Start(c, sums);
      const float* w = t_.w + c / kPackedLanes * kPackedLanes * K * K + c % kPackedLanes;
#pragma GCC unroll 1
      for (int ky = 0; ky < K; ++ky, w += kPackedLanes * K) AddRow(rows_[ky], c, w, sums);
      Finish(c, sums);
    }
    return channels;
  }

 private:
  static constexpr int kColumns = (kPixels - 1) * S + K, kEdge = K / 2;

  struct Row {
    const float* edges[2 * kEdge];  // its first and last columns
    const float* inner;             // the one behind the first ones
    ptrdiff_t spacing;              // from it to the next, and so on
  };

  void Start(size_t c, Channels (&sums)[kPixels]) const {
#pragma GCC unroll 2
    for (int j = 0; j < kVectors; ++j) {
      const float32x4_t bias =
          t_.bias == nullptr ? vdupq_n_f32(0) : vld1q_f32(t_.bias + c + 4 * static_cast<size_t>(j));
#pragma GCC unroll 7
      for (int i = 0; i < kPixels; ++i) sums[i][j] = bias;
    }
  }

  // A column lies under tap k of pixel (column - k) / S.
  static void AddColumn(int column, const Channels& x, const Channels (&w)[K], Channels (&sums)[kPixels]) {
#pragma GCC unroll 8
    for (int k = 0; k < K; ++k) {
      const int pixel = (column - k) / S;
      if (column < k || (column - k) % S != 0 || pixel >= kPixels) continue;
#pragma GCC unroll 2
      for (int j = 0; j < kVectors; ++j) sums[pixel][j] = MulAdd(sums[pixel][j], x[j], w[k][j]);
    }
  }

  static void AddRow(const Row& row, size_t c, const float* weights, Channels (&sums)[kPixels]) {
    Channels w[K], x;
#pragma GCC unroll 8
    for (int k = 0; k < K; ++k) Load(weights + kPackedLanes * static_cast<size_t>(k), w[k]);
    const float* inner = row.inner + c;
    const ptrdiff_t spacing = row.spacing;
#pragma GCC unroll 32
    for (int column = 0; column < kColumns; ++column) {
      if (column < kEdge) {
        Load(row.edges[column] + c, x);
      } else if (column >= kColumns - kEdge) {
        Load(row.edges[column - kColumns + 2 * kEdge] + c, x);
      } else {
        Load(inner, x);
        inner += spacing;
      }
      AddColumn(column, x, w, sums);
    }
  }

  // VMAX and VMIN let a NaN through.
  void Finish(size_t c, const Channels (&sums)[kPixels]) const {
    const float32x4_t lo = vdupq_n_f32(t_.lo), hi = vdupq_n_f32(t_.hi);
    const int pixels = static_cast<int>(t_.m);
    const size_t stride = t_.y_stride;
    float* y = t_.y + c;
    const float* start = t_.start == nullptr ? nullptr : t_.start + c;
#pragma GCC unroll 7
    for (int i = 0; i < kPixels; ++i, y += stride) {
      if (i == pixels) return;
      float32x4_t v[kVectors];
#pragma GCC unroll 2
      for (int j = 0; j < kVectors; ++j) v[j] = sums[i][j];
      if (start != nullptr) {
#pragma GCC unroll 2
        for (int j = 0; j < kVectors; ++j) v[j] = vaddq_f32(vld1q_f32(start + 4 * j), v[j]);
        start += stride;
      }
#pragma GCC unroll 2
      for (int j = 0; j < kVectors; ++j) vst1q_f32(y + 4 * j, vmaxq_f32(lo, vminq_f32(hi, v[j])));
    }
  }

  const DwConvF32Tile t_;
  Row rows_[K];
};

// Filters of any shape, and channels that fill no vector.
__attribute__((noinline)) void RunAny(const DwConvF32Tile& t, size_t first) {
  DwConvF32Any<F32x8, kPixels>(t, first);
}

}  // namespace

void DwConvF32_neon_7(const DwConvF32Tile& t) {
  size_t c = 0;
  switch (t.even ? DwConvF32Square(t) : 0) {
    case 3:
      c = t.step == 1 ? Filter<3, 1>(t).Run() : Filter<3, 2>(t).Run();
      break;
    case 5:
      c = t.step == 1 ? Filter<5, 1>(t).Run() : Filter<5, 2>(t).Run();
      break;
    case 7:
      c = t.step == 1 ? Filter<7, 1>(t).Run() : Filter<7, 2>(t).Run();
      break;
    default:
      break;
  }
  if (c < t.channels) RunAny(t, c);
}

}  // namespace micrort
