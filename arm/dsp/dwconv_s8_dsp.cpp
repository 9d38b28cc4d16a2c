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

// The size of the filter: as the tile says, or a constant.
struct AnySize {};
struct Size3x3 {};

template <typename Access>
inline void SumChannels(AnySize, const DwConvS8Tile& t, size_t pixel, size_t c, Access access,
                        int32_t (&sums)[kStep]) {
  const ptrdiff_t at = static_cast<ptrdiff_t>(pixel) * t.step;
  const size_t offset = t.x_offset + c;
  const size_t block = c / kDwConvS8Lanes * kDwConvS8Lanes;
  // Two rows of the filter lie side by side, for eight channels.
  const int8_t* w = t.w + block * DwConvS8ChannelBytes(2, t.kernel_h, t.kernel_w) + (c - block) * 2;
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

// The same without a loop.
template <typename Access>
inline void SumChannels(Size3x3, const DwConvS8Tile& t, size_t pixel, size_t c, Access access,
                        int32_t (&sums)[kStep]) {
  constexpr size_t kColumn = 2 * kDwConvS8Lanes;
  const ptrdiff_t at = static_cast<ptrdiff_t>(pixel) * t.step;
  const size_t offset = t.x_offset + c, block = c / kDwConvS8Lanes * kDwConvS8Lanes;
  const int8_t* const w = t.w + block * DwConvS8ChannelBytes(2, 3, 3) + (c - block) * 2;
  const int8_t* const* const* const x = t.columns;
  const auto of_tap = [=](size_t tap) { return access.Load(x[tap][at] + offset); };
  // A column: its first two rows, and its last one.
  const auto add_pair = [&](size_t k) {
    const int32_t w0 = Word(w + k * kColumn), w1 = Word(w + k * kColumn + 4);
    AddTap(of_tap(k), Even(w0), Even(w1), sums);
    AddTap(of_tap(3 + k), Odd(w0), Odd(w1), sums);
  };
  const auto add_last = [&](size_t k) {
    const int8_t* const of_row = w + (3 + k) * kColumn;
    AddTap(of_tap(6 + k), Even(Word(of_row)), Even(Word(of_row + 4)), sums);
  };
  add_pair(0), add_pair(1), add_pair(2);
  add_last(0), add_last(1), add_last(2);
}

template <typename Size, typename Access>
inline void RunChannels(const DwConvS8Tile& t, size_t pixel, size_t c, size_t count, Access access) {
  int32_t sums[kStep] = {};
  SumChannels(Size(), t, pixel, c, access, sums);
  for (size_t i = 0; i < count; ++i) {
    if (t.output == nullptr) {
      t.acc[pixel * t.acc_stride + c + i] = sums[i];
    } else {
      t.output->y[pixel * t.output->stride + c + i] = Quantized(*t.output, sums[i], c + i);
    }
  }
}

template <typename Size>
void RunTile(const DwConvS8Tile& t) {
  for (size_t pixel = 0; pixel < t.m; ++pixel) {
    size_t c = 0;
    for (; c + kStep <= t.channels; c += kStep) RunChannels<Size>(t, pixel, c, kStep, WholeWord());
    if (c < t.channels) RunChannels<AnySize>(t, pixel, c, t.channels - c, PartialWord{t.channels - c});
  }
}

}  // namespace

void DwConvS8_dsp_4(const DwConvS8Tile& t) {
  const bool is_3x3 = t.kernel_h == 3 && t.kernel_w == 3;
  is_3x3 ? RunTile<Size3x3>(t) : RunTile<AnySize>(t);
  if (t.output != nullptr) *t.written = true;
}

}  // namespace micrort
