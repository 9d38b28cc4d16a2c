// Four channels of one pixel at a time: bytes that SXTB16 widens, times halves of words (SMLABB and its
// like).

#include "arm/dsp/dsp_math.h"
#include "kernels/dwconv/dwconv_s8.h"

namespace micrort {

namespace {

constexpr size_t kStep = 4;  // channels

// Four channels, or the last few of them.
struct WholeWord {
  int32_t Load(const int8_t* p) const { return Word(p); }
};
struct PartialWord {
  size_t count;
  int32_t Load(const int8_t* p) const {
    int8_t bytes[kStep] = {};
    for (size_t i = 0; i < count; ++i) bytes[i] = p[i];
    return Word(bytes);
  }
};

// Channels of one tap. `w`: weights of the first and second channel in its halves, `w_next` of the others.
inline void AddTap(int32_t x, int32_t w, int32_t w_next, int32_t (&sums)[kStep]) {
  const int32_t even = Even(x), odd = Odd(x);
  MulAddBB(even, w, &sums[0]);
  MulAddBT(odd, w, &sums[1]);
  MulAddTB(even, w_next, &sums[2]);
  MulAddTT(odd, w_next, &sums[3]);
}

template <typename Access>
inline void SumChannels(const DwConvS8Tile& t, size_t pixel, size_t c, Access access,
                        int32_t (&sums)[kStep]) {
  const ptrdiff_t at = static_cast<ptrdiff_t>(pixel) * t.step;
  const size_t offset = t.x_offset + c;
  const size_t block = c / kDwConvS8Lanes * kDwConvS8Lanes;
  // Two rows of the filter lie side by side, for eight channels.
  const int8_t* w = t.w + block * DwConvS8ChannelBytes(t.kernel_h, t.kernel_w) + (c - block) * 2;
  const int8_t* const* const* x = t.columns;
  for (size_t ky = 0; ky < t.kernel_h; ky += 2, x += 2 * t.kernel_w) {
    const bool is_pair = ky + 1 < t.kernel_h;
    for (size_t k = 0; k < t.kernel_w; ++k, w += 2 * kDwConvS8Lanes) {
      const int32_t w0 = Word(w), w1 = Word(w + 4);
      AddTap(access.Load(x[k][at] + offset), Even(w0), Even(w1), sums);
      if (is_pair) AddTap(access.Load(x[t.kernel_w + k][at] + offset), Odd(w0), Odd(w1), sums);
    }
  }
}

template <typename Access>
inline void RunChannels(const DwConvS8Tile& t, size_t pixel, size_t c, size_t count, Access access) {
  int32_t sums[kStep] = {};
  SumChannels(t, pixel, c, access, sums);
  for (size_t i = 0; i < count; ++i) {
    if (t.output == nullptr) {
      t.acc[pixel * t.acc_stride + c + i] = sums[i];
    } else {
      t.output->y[pixel * t.output->stride + c + i] = Quantized(*t.output, sums[i], c + i);
    }
  }
}

}  // namespace

void DwConvS8_dsp_4(const DwConvS8Tile& t) {
  for (size_t pixel = 0; pixel < t.m; ++pixel) {
    size_t c = 0;
    for (; c + kStep <= t.channels; c += kStep) RunChannels(t, pixel, c, kStep, WholeWord());
    if (c < t.channels) RunChannels(t, pixel, c, t.channels - c, PartialWord{t.channels - c});
  }
  if (t.output != nullptr) *t.written = true;
}

}  // namespace micrort
