#pragma once
// int8 depthwise convolution by 3x3 filters that slide along a row: every column is loaded and interleaved
// once, for all pixels that it lies under, and pixels become outputs one after another.

#include "arm/dotprod/dwconv_s8_taps.h"

namespace micrort {
namespace {

// The three rows under a filter. All columns but the first and the last one are evenly spaced; a row of
// padding may have another spacing than the others.
struct DotRows {
  const int8_t* first[3];
  const int8_t* second[3];
  const int8_t* last[3];
  ptrdiff_t spacing[3];

  DotRows(const DwConvS8Tile& t, size_t last_column) {
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
      const int8_t* const* columns = t.columns[3 * i];
      first[i] = columns[0] + t.x_offset;
      second[i] = columns[1] + t.x_offset;
      last[i] = columns[last_column] + t.x_offset;
      spacing[i] = columns[2] - columns[1];
    }
  }
};

inline DotTaps LoadColumn(const int8_t* const (&rows)[3], size_t c) {
  int8x16_t x[3];
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) x[i] = vcombine_s8(vld1_s8(rows[i] + c), vdup_n_s8(0));
  return Interleave(x);
}

// A column, and on to the next: of each row one instruction, which compilers do not find.
inline DotTaps LoadNextColumn(const int8_t* (&rows)[3], const ptrdiff_t (&spacing)[3]) {
  struct Lanes {
    int8_t x[kDwConvS8Lanes];
  };
  int8x16_t x[3];
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    __asm__("ld1 {%0.8b}, [%1], %2"
            : "=w"(x[i]), "+r"(rows[i])
            : "r"(spacing[i]), "m"(*reinterpret_cast<const Lanes*>(rows[i])));
  }
  return Interleave(x);
}

// Eight channels of all pixels of a tile, S columns apart.
template <int S>
class DotSlide {
 public:
  // w: of these channels.
  DotSlide(const DotRows& rows, const GemmS8Output& output, const int8_t* w, size_t c)
      : rows_(rows),
        c_(c),
        next_{rows.second[0] + c, rows.second[1] + c, rows.second[2] + c},
        start_{vld1q_s32(output.bias + c), vld1q_s32(output.bias + c + 4)},
        requantize_(output.multipliers + c, output.multipliers + c + 4, output.zero_point, output.lo,
                    output.hi),
        stride_(output.stride),
        y_(output.y + c),
        w_{DotTaps::Load(w), DotTaps::Load(w + DotTaps::kBytes), DotTaps::Load(w + 2 * DotTaps::kBytes)} {}

  // Two pixels are under way when the first column of the next one comes (one, where pixels are two columns
  // apart). Steps are written in turns, so that no sum is moved from register to register.
  void Run(size_t pixels) {
    DwConvS8Sums a = Dot(start_, LoadColumn(rows_.first, c_), w_[0]), b, c;
    const DotTaps second = Next();
    a = Dot(a, second, w_[1]);
    size_t left = pixels - 1;
    if constexpr (S == 2) {
      for (; left > 0; --left) {
        const DotTaps x = Next();
        Write(Dot(a, x, w_[2]));
        a = Dot(Dot(start_, x, w_[0]), Next(), w_[1]);
      }
    } else {
      b = Dot(start_, second, w_[0]);
      for (; left >= 3; left -= 3) {
        Step(a, &b, &c);
        Step(b, &c, &a);
        Step(c, &a, &b);
      }
      for (; left > 0; --left) {
        Step(a, &b, &c);
        a = b;
        b = c;
      }
    }
    Write(Dot(a, LoadColumn(rows_.last, c_), w_[2]));
  }

 private:
  DotTaps Next() { return LoadNextColumn(next_, rows_.spacing); }
  // The third column of one pixel, the second of the next, the first of the one behind it.
  void Step(DwConvS8Sums third, DwConvS8Sums* second, DwConvS8Sums* first) {
    const DotTaps x = Next();
    Write(Dot(third, x, w_[2]));
    *second = Dot(*second, x, w_[1]);
    *first = Dot(start_, x, w_[0]);
  }
  void Write(DwConvS8Sums sums) {
    vst1_s8(y_, requantize_(sums.low, sums.high));
    y_ += stride_;
  }

  const DotRows& rows_;
  const size_t c_;
  const int8_t* next_[3];
  const DwConvS8Sums start_;
  const Requantize8 requantize_;
  const size_t stride_;
  int8_t* y_;
  const DotTaps w_[3];
};

// An even tile of two pixels or more, with outputs.
template <int S>
__attribute__((noinline)) void DwConvS8Slide(const DwConvS8Tile& t) {
  const DotRows rows(t, (t.m - 1) * S + 2);
  const GemmS8Output output = *t.output;
  const size_t pixels = t.m, channels = t.channels;
  const int8_t* w = t.w;
  for (size_t c = 0; c < channels; c += kDwConvS8Lanes, w += 3 * DotTaps::kBytes) {
    DotSlide<S>(rows, output, w, c).Run(pixels);
  }
}

// Whether it slides over a tile.
inline bool DwConvS8Slides(const DwConvS8Tile& t) {
  return t.output != nullptr && t.even && t.m > 1 && t.channels % kDwConvS8Lanes == 0 && t.kernel_h == 3 &&
         t.kernel_w == 3 && (t.step == 1 || t.step == 2);
}

}  // namespace
}  // namespace micrort
