#pragma once
// The input of a depthwise convolution as lists of pointers to the columns of its rows.

#include <cstddef>
#include <cstdint>

#include "kernels/base/checked_math.h"
#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// One axis of a convolution. Tap t of output o is at position o * output_step + first_tap + t * tap_step.
class FilterAxis {
 public:
  static FilterAxis Rows(const Conv2DParams& p) {
    return {p.transposed, p.stride_h, p.dilation_h, p.pad_top, p.kernel_h, p.in_h};
  }
  static FilterAxis Columns(const Conv2DParams& p) {
    return {p.transposed, p.stride_w, p.dilation_w, p.pad_left, p.kernel_w, p.in_w};
  }

  int64_t Position(int64_t output, int64_t tap) const {
    return output * output_step_ + first_tap_ + tap * tap_step_;
  }
  // The input at a position, or -1.
  int64_t Input(int64_t position) const {
    const int64_t at = position + origin_;
    if (at < 0 || at % input_step_ != 0) return -1;
    return at / input_step_ < inputs_ ? at / input_step_ : -1;
  }
  // The positions with an input among `count` from `first` on: every `step`-th of [begin, end), the first of
  // which has the given one.
  struct Inputs {
    int64_t begin, end, step, input;
  };
  Inputs InputsOf(int64_t first, int64_t count) const {
    const int64_t at = first + origin_, begin = at < 0 ? -at : CeilDiv(at, input_step_) * input_step_ - at;
    const int64_t end = (inputs_ - 1) * input_step_ + 1 - at;
    return {begin, end < count ? end : count, input_step_, (at + begin) / input_step_};
  }
  int64_t output_step() const { return output_step_; }
  int64_t tap_step() const { return tap_step_; }
  // Positions that so many neighbouring outputs reach over.
  int64_t length(int64_t outputs) const { return (outputs - 1) * output_step_ + span_; }

 private:
  FilterAxis(bool transposed, int64_t stride, int64_t dilation, int64_t pad, int64_t taps, int64_t inputs)
      : output_step_(transposed ? 1 : stride),
        input_step_(transposed ? stride : 1),
        tap_step_(transposed ? -dilation : dilation),
        first_tap_(transposed ? (taps - 1) * dilation : 0),
        span_((taps - 1) * dilation + 1),
        origin_(transposed ? pad - first_tap_ : -pad),
        inputs_(inputs) {}

  int64_t output_step_, input_step_, tap_step_, first_tap_, span_, origin_, inputs_;
};

// The rows that a filter lies over while it moves down a part of the image. What the next output row reaches
// too is listed once.
template <typename T>
class FilterRows {
 public:
  // The widest part has so many output pixels.
  FilterRows(const Conv2DParams& p, int64_t width)
      : p_(p),
        rows_(FilterAxis::Rows(p)),
        columns_(FilterAxis::Columns(p)),
        length_(columns_.length(width)) {}

  // Whether the lists are small beside the image.
  static bool Fits(const Conv2DParams& p, int64_t width) {
    constexpr int64_t kMaxRows = 256, kMaxReach = 4096;
    return p.kernel_h <= kMaxRows && p.kernel_w <= kMaxReach && p.dilation_w <= kMaxReach / p.kernel_w &&
           p.stride_w <= kMaxReach && FilterAxis::Columns(p).length(width) <= kMaxReach;
  }

  // `pointer_bytes`: of the CPU that runs this.
  size_t bytes(size_t pointer_bytes = sizeof(void*)) const {
    const auto lists = static_cast<size_t>((1 + p_.kernel_h) * length_);
    const auto words = static_cast<size_t>(2 * p_.kernel_h + p_.taps());
    return AlignUp(padding_bytes() + lists * pointer_bytes + words * sizeof(int64_t), kAlignment);
  }

  // Begins at a part of the image whose first column is that of output pixel `first`.
  void Reset(void* memory, int64_t first, T padding_value) {
    auto* padding = static_cast<T*>(memory);
    for (int64_t c = 0; c < p_.in_c; ++c) padding[c] = padding_value;
    listed_ = reinterpret_cast<int64_t*>(static_cast<uint8_t*>(memory) + padding_bytes());
    for (int64_t tap = 0; tap < p_.kernel_h; ++tap) listed_[tap] = -1;
    inside_ = columns_.InputsOf(first * columns_.output_step(), length_);
    filter_ = reinterpret_cast<const T* const**>(listed_ + p_.kernel_h);
    taps_ = filter_ + p_.kernel_h;
    lists_ = reinterpret_cast<const T**>(taps_ + p_.taps());
    for (int64_t i = 0; i < (1 + p_.kernel_h) * length_; ++i) lists_[i] = padding;
  }

  // Lays the filter over row y of an image's output.
  void MoveTo(const T* x, int64_t image, int64_t y) {
    for (int64_t tap = 0; tap < p_.kernel_h; ++tap) {
      const int64_t position = rows_.Position(y, tap), row = rows_.Input(position);
      // Neighbouring positions have slots of their own, which they keep in the next row.
      const bool neighbours = rows_.tap_step() == 1 || rows_.tap_step() == -1;
      const int64_t slot = neighbours ? position % p_.kernel_h : tap;
      filter_[tap] = row < 0 ? lists_ : List(x, image * p_.in_h + row, slot);
    }
  }
  // For each tap a list of pointers to columns: under it lie, column_step() after another, output pixels from
  // the i-th of this part on. Valid until the next call.
  const T* const* const* Taps(int64_t i) {
    const T* const** tap = taps_;
    for (int64_t ky = 0; ky < p_.kernel_h; ++ky) {
      for (int64_t kx = 0; kx < p_.kernel_w; ++kx) *tap++ = filter_[ky] + columns_.Position(i, kx);
    }
    return taps_;
  }
  // Whether the columns that so many output pixels from the i-th on reach are neighbours in the image, but
  // for the first and last kernel_w / 2 of them, which may be padding.
  bool Even(int64_t i, int64_t pixels) const {
    const int64_t edge = p_.kernel_w / 2, first = columns_.Position(i, edge);
    return adjacent() && first >= inside_.begin && first + columns_.length(pixels) - 2 * edge <= inside_.end;
  }
  ptrdiff_t column_step() const { return static_cast<ptrdiff_t>(columns_.output_step()); }
  // Whether the taps of one row of the filter lie over neighbouring columns, from left to right.
  bool adjacent() const { return columns_.tap_step() == 1; }

 private:
  size_t padding_bytes() const { return AlignUp(static_cast<size_t>(p_.in_c) * sizeof(T), kAlignment); }

  const T* const* List(const T* x, int64_t row, int64_t slot) {
    const T** list = lists_ + (1 + slot) * length_;
    if (listed_[slot] == row) return list;
    listed_[slot] = row;
    const T* column = x + (row * p_.in_w + inside_.input) * p_.in_c;
    for (int64_t i = inside_.begin; i < inside_.end; i += inside_.step, column += p_.in_c) list[i] = column;
    return list;
  }

  const Conv2DParams& p_;
  const FilterAxis rows_, columns_;
  const int64_t length_;
  int64_t* listed_ = nullptr;          // [kernel_h]: the row in a slot, or -1
  FilterAxis::Inputs inside_ = {};     // of the columns in a list; the others are a pixel of padding
  const T* const** filter_ = nullptr;  // [kernel_h]
  const T* const** taps_ = nullptr;    // [taps]
  const T** lists_ = nullptr;          // [1 + kernel_h][length]: padding only, then the slots
};

}  // namespace micrort
