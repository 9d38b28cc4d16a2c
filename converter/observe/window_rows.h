#pragma once
// What a layer's filters read of an input, a row for each pixel of the output: see FilterWindow.

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "converter/observe/moments.h"

namespace micrort::observe {

class WindowRows {
 public:
  WindowRows(const FilterWindow& window, const TensorView& x, const Shape& y)
      : window_(window), x_(x.as<float>()) {
    if (window_.is_product) {
      channels_ = window_.channels;
      size_ = x.shape.elements() / channels_;
      return;
    }
    height_ = x.shape[1];
    width_ = x.shape[2];
    channels_ = x.shape[3];
    out_h_ = y[1];
    out_w_ = y[2];
    size_ = y[0] * out_h_ * out_w_;
  }

  int64_t size() const { return size_; }

  // Elements [first, first + n) of a set's row.
  void Read(int64_t row, int64_t set, int64_t first, int64_t n, float* out) const {
    if (window_.is_product) {
      std::memcpy(out, x_ + row * channels_ + first, static_cast<size_t>(n) * sizeof(float));
      return;
    }
    const int64_t end = first + n;
    for (int64_t i = first; i < end;) {
      const int64_t tap = i / window_.channels, channel = i % window_.channels;
      const int64_t length = std::min(window_.channels - channel, end - i);
      ReadTap(row, tap, set * window_.channels + channel, length, out);
      out += length;
      i += length;
    }
  }

  // Channels [first, first + n) of one tap; zeros where it lies outside of the image.
  void ReadTap(int64_t row, int64_t tap, int64_t first, int64_t n, float* out) const {
    const int64_t image = row / (out_h_ * out_w_), oy = row / out_w_ % out_h_, ox = row % out_w_;
    const int64_t iy = oy * window_.stride_h - window_.pad_top + tap / window_.kernel_w * window_.dilation_h;
    const int64_t ix = ox * window_.stride_w - window_.pad_left + tap % window_.kernel_w * window_.dilation_w;
    const auto bytes = static_cast<size_t>(n) * sizeof(float);
    if (iy >= 0 && iy < height_ && ix >= 0 && ix < width_) {
      std::memcpy(out, x_ + ((image * height_ + iy) * width_ + ix) * channels_ + first, bytes);
    } else {
      std::memset(out, 0, bytes);
    }
  }

 private:
  const FilterWindow& window_;
  const float* x_;
  int64_t height_ = 1, width_ = 1, channels_ = 1, out_h_ = 1, out_w_ = 1, size_ = 0;
};

}  // namespace micrort::observe
