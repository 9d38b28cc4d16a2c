#pragma once
// The implicit left matrix of a convolution: where the inputs of each output pixel lie.

#include <cstddef>
#include <cstdint>

#include "kernels/base/checked_math.h"
#include "kernels/conv2d/conv2d.h"
#include "kernels/gemm/grid.h"

namespace micrort {

// Walks over consecutive output pixels; `row` counts them through batch, height and width.
class OutputPixel {
 public:
  OutputPixel(const Conv2DParams& p, int64_t row)
      : p_(p), x_(row % p.out_w), y_(row / p.out_w % p.out_h), image_(row / p.out_w / p.out_h) {}

  int64_t image() const { return image_; }
  // Calls visit(taps, pixel) for all taps in order, several of one kernel row at a time where it can. The
  // first of them lies over the input pixel of this index, counted through batch, height and width, and the
  // others follow in steps of dilation_w; -1: all lie in the padding.
  template <typename Visit>
  void VisitTaps(Visit visit) const {
    const bool inside = InsideColumns(1);
    for (int64_t ky = 0; ky < p_.kernel_h; ++ky) {
      const int64_t y = Input(y_, ky, p_.stride_h, p_.pad_top, p_.dilation_h);
      if (y < 0 || y >= p_.in_h) {
        visit(p_.kernel_w, int64_t{-1});
        continue;
      }
      const int64_t row = (image_ * p_.in_h + y) * p_.in_w;
      if (inside) {
        visit(p_.kernel_w, row + x_ * p_.stride_w - p_.pad_left);
        continue;
      }
      for (int64_t kx = 0; kx < p_.kernel_w; ++kx) {
        const int64_t x = Input(x_, kx, p_.stride_w, p_.pad_left, p_.dilation_w);
        visit(int64_t{1}, x < 0 || x >= p_.in_w ? -1 : row + x);
      }
    }
  }
  // Whether this pixel and the next n - 1 lie in one row and no tap of theirs is left or right of the image.
  bool InsideColumns(int64_t n) const {
    const int64_t first = x_ * p_.stride_w - p_.pad_left;
    const int64_t last = first + (n - 1) * p_.stride_w + (p_.kernel_w - 1) * p_.dilation_w;
    return !p_.transposed && x_ + n <= p_.out_w && first >= 0 && last < p_.in_w;
  }
  // How many pixels from here on, in this row, have all their taps inside the image.
  int64_t Interior() const {
    const int64_t x = x_ * p_.stride_w - p_.pad_left, y = y_ * p_.stride_h - p_.pad_top;
    const int64_t right = p_.in_w - 1 - (p_.kernel_w - 1) * p_.dilation_w;  // the last first tap
    const bool inside =
        !p_.transposed && x >= 0 && x <= right && y >= 0 && y + (p_.kernel_h - 1) * p_.dilation_h < p_.in_h;
    if (!inside) return 0;
    const int64_t fitting = (right - x) / p_.stride_w + 1;
    return fitting < p_.out_w - x_ ? fitting : p_.out_w - x_;
  }
  // The index of the input pixel under the first tap of a pixel that is Interior().
  int64_t FirstInput() const {
    return (image_ * p_.in_h + y_ * p_.stride_h - p_.pad_top) * p_.in_w + x_ * p_.stride_w - p_.pad_left;
  }
  // To the n-th pixel from here; all before it are in this row.
  void Next(int64_t n = 1) {
    x_ += n;
    if (x_ < p_.out_w) return;
    x_ = 0;
    if (++y_ < p_.out_h) return;
    y_ = 0;
    ++image_;
  }

 private:
  // Along one axis; outside the input where there is none.
  int64_t Input(int64_t output, int64_t tap, int64_t stride, int64_t pad, int64_t dilation) const {
    if (!p_.transposed) return output * stride - pad + tap * dilation;
    const int64_t scaled = output + pad - tap * dilation;
    return scaled % stride == 0 ? scaled / stride : -1;
  }

  const Conv2DParams& p_;
  int64_t x_, y_, image_;
};

// For each tap the pointers of `pixels` neighbouring output pixels, `mr` apart from tap to tap. If there are
// several of them, they are InsideColumns().
template <typename T>
void ListPointers(const Conv2DParams& p, const OutputPixel& first, const T* base, const T* padding,
                  int64_t pixels, size_t mr, const T** out) {
  first.VisitTaps([&](int64_t taps, int64_t input) {
    const bool inside = input >= 0;
    const T* pointer = inside ? base + input * p.in_c : padding;
    const int64_t tap_step = inside ? p.dilation_w * p.in_c : 0;
    const int64_t pixel_step = inside ? p.stride_w * p.in_c : 0;
    for (int64_t t = 0; t < taps; ++t, out += mr, pointer += tap_step) {
      for (int64_t i = 0; i < pixels; ++i) out[i] = pointer + i * pixel_step;
    }
  });
}

// Pointers for `rows` output pixels from `first_row` on, as [ceil(rows / mr)][taps][mr]; the last tile is
// filled up with its last row. Each points to group_channels() elements of `group`, or to `padding` (as many
// elements).
template <typename T>
void GatherRowPointers(const Conv2DParams& p, const T* x, const T* padding, int64_t group, int64_t first_row,
                       int64_t rows, size_t mr, const T** out) {
  const T* base = x + group * p.group_channels();
  const auto taps = static_cast<size_t>(p.taps());
  OutputPixel pixel(p, first_row);
  for (int64_t r = 0; r < rows; out += mr * taps) {
    // All pixels of the tile at once, if their pointers are in equal steps.
    const int64_t left = rows - r,
                  tile_rows = left < static_cast<int64_t>(mr) ? left : static_cast<int64_t>(mr);
    if (tile_rows == static_cast<int64_t>(mr) && pixel.InsideColumns(tile_rows)) {
      ListPointers(p, pixel, base, padding, tile_rows, mr, out);
      pixel.Next(tile_rows);
      r += tile_rows;
      continue;
    }
    for (int64_t i = 0; i < tile_rows; ++i, ++r, pixel.Next()) {
      ListPointers(p, pixel, base, padding, 1, mr, out + i);
    }
    for (size_t tap = 0; tap < taps; ++tap) {
      for (auto i = static_cast<size_t>(tile_rows); i < mr; ++i) out[tap * mr + i] = out[tap * mr + i - 1];
    }
  }
}

// Where the pointers of one row after another lie in [ceil(rows / mr)][taps][mr].
template <typename T>
class TiledRow {
 public:
  TiledRow(const T** out, size_t mr, size_t taps) : at_(out), mr_(mr), taps_(taps) {}
  const T*& operator[](size_t tap) const { return at_[tap * mr_]; }
  void Next() {
    ++at_;
    if (++i_ < mr_) return;
    i_ = 0;
    at_ += (taps_ - 1) * mr_;
  }
  // The last tile is filled up with its last row.
  void FillTile() const {
    for (size_t tap = 0; tap < taps_ && i_ > 0; ++tap) {
      for (size_t i = 0; i < mr_ - i_; ++i) at_[tap * mr_ + i] = at_[tap * mr_ - 1];
    }
  }

 private:
  const T** at_;
  size_t i_ = 0;  // row of its tile
  const size_t mr_, taps_;
};

// The same for filters whose rows are read as one tap of kernel_w * in_c channels, as neighbouring pixels are
// one run of memory: [ceil(rows / mr)][kernel_h][mr]. Only where groups and dilation_w are 1. Pixels with a
// tap left or right of the image are copied to `copies`, depth() elements for each row.
template <typename T>
void GatherRunPointers(const Conv2DParams& p, const T* x, const T* padding, int64_t first_row, int64_t rows,
                       size_t mr, const T** out, T* copies) {
  const int64_t run = p.kernel_w * p.in_c, row_step = p.dilation_h * p.in_w * p.in_c;
  const auto taps = static_cast<size_t>(p.kernel_h);
  OutputPixel pixel(p, first_row);
  TiledRow<T> row(out, mr, taps);
  for (int64_t r = 0; r < rows;) {
    // Most pixels: their pointers are in equal steps.
    const int64_t interior = pixel.Interior(), pixels = interior < rows - r ? interior : rows - r;
    if (pixels > 0) {
      const T* input = x + pixel.FirstInput() * p.in_c;
      for (int64_t i = 0; i < pixels; ++i, input += p.stride_w * p.in_c, row.Next()) {
        for (size_t ky = 0; ky < taps; ++ky) row[ky] = input + static_cast<int64_t>(ky) * row_step;
      }
      pixel.Next(pixels);
      r += pixels;
      continue;
    }
    T* copy = copies + r * p.depth();
    size_t tap = 0;
    if (pixel.InsideColumns(1)) {
      pixel.VisitTaps([&](int64_t, int64_t input) { row[tap++] = input < 0 ? padding : x + input * p.in_c; });
    } else {
      for (; tap < taps; ++tap) row[tap] = copy + static_cast<int64_t>(tap) * run;
      pixel.VisitTaps([&](int64_t n, int64_t input) {
        const T* from = input < 0 ? padding : x + input * p.in_c;
        for (int64_t k = 0; k < n * p.in_c; ++k) *copy++ = from[k];
      });
    }
    row.Next();
    pixel.Next();
    ++r;
  }
  row.FillTile();
}

// Scratch of algorithms that use such pointers. Each worker has elements of T that stand for the padding, and
// behind them the pointers of one row block, the largest there may be.
template <typename T>
class PointerScratch {
 public:
  PointerScratch(const Conv2DParams& p, int64_t padding_elements, const GemmGrid& grid)
      : padding_elements_(static_cast<size_t>(padding_elements)),
        padding_bytes_(AlignUp(padding_elements_ * sizeof(T), kAlignment)),
        worker_bytes_(padding_bytes_ +
                      AlignUp(static_cast<size_t>(grid.row_capacity * p.taps()) * sizeof(T*), kAlignment)) {}

  uint64_t bytes(int workers) const { return worker_bytes_ * static_cast<uint64_t>(workers); }
  const T* FillPadding(void* scratch, int worker, T value) const {
    T* padding = reinterpret_cast<T*>(Worker(scratch, worker));
    for (size_t i = 0; i < padding_elements_; ++i) padding[i] = value;
    return padding;
  }
  const T** pointers(void* scratch, int worker) const {
    return reinterpret_cast<const T**>(Worker(scratch, worker) + padding_bytes_);
  }

 private:
  uint8_t* Worker(void* scratch, int worker) const {
    return static_cast<uint8_t*>(scratch) + worker_bytes_ * static_cast<size_t>(worker);
  }

  size_t padding_elements_, padding_bytes_, worker_bytes_;
};

}  // namespace micrort
