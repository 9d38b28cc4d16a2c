#pragma once
// The implicit left matrix of a convolution: where the inputs of each output pixel lie.

#include <cstddef>
#include <cstdint>

#include "kernels/base/checked_math.h"
#include "kernels/base/target.h"
#include "kernels/conv/conv2d_algorithm.h"
#include "kernels/gemm/work_partition.h"

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
      if (InputRow(ky) < 0) {
        visit(p_.kernel_w, int64_t{-1});
        continue;
      }
      const int64_t row = InputRow(ky) * p_.in_w;
      if (inside) {
        visit(p_.kernel_w, row + x_ * p_.stride_w - p_.pad_left);
        continue;
      }
      for (int64_t kx = 0; kx < p_.kernel_w; ++kx) {
        const int64_t x = InputColumn(0, kx);
        visit(int64_t{1}, x < 0 ? -1 : row + x);
      }
    }
  }
  // How many pixels of its row this and those behind it are.
  int64_t LeftInRow() const { return p_.out_w - x_; }
  // The input row under a tap, counted through batch and height, or -1: padding.
  int64_t InputRow(int64_t ky) const {
    const int64_t y = Input(y_, ky, p_.stride_h, p_.pad_top, p_.dilation_h);
    return y < 0 || y >= p_.in_h ? -1 : image_ * p_.in_h + y;
  }
  // The input column under a tap of the n-th pixel from here, in this row, or -1.
  int64_t InputColumn(int64_t n, int64_t kx) const {
    const int64_t x = Input(x_ + n, kx, p_.stride_w, p_.pad_left, p_.dilation_w);
    return x < 0 || x >= p_.in_w ? -1 : x;
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

// Where the pointers of one row after another lie in [ceil(rows / mr)][taps][mr].
template <typename T>
class TiledRow {
 public:
  TiledRow(const T** out, size_t mr, size_t taps) : at_(out), mr_(mr), taps_(taps) {}
  // The pointers of this row, and of those after it in the tile.
  const T** at(int64_t tap) const { return at_ + static_cast<size_t>(tap) * mr_; }
  int64_t LeftInTile() const { return static_cast<int64_t>(mr_ - i_); }
  // By up to LeftInTile().
  void Next(int64_t rows = 1) {
    at_ += rows;
    i_ += static_cast<size_t>(rows);
    if (i_ < mr_) return;
    i_ = 0;
    at_ += (taps_ - 1) * mr_;
  }
  // The last tile is filled up with its last row.
  void FillTile() const {
    for (size_t tap = 0; tap < taps_ && i_ > 0; ++tap) {
      const T** const next = at_ + tap * mr_;
      for (size_t i = 0; i < mr_ - i_; ++i) next[i] = next[-1];
    }
  }

 private:
  const T** at_;
  size_t i_ = 0;  // row of its tile
  const size_t mr_, taps_;
};

// So many pointers, `step` elements apart.
template <typename T>
void ListPointers(const T* first, int64_t step, int64_t count, const T** out) {
  // No pointer is computed that is not written: the next one may lie far outside of the image.
  for (int64_t i = 0; i < count; ++i) out[i] = first + i * step;
}

// For each tap the pointers of so many neighbouring output pixels of one row.
template <typename T>
void ListTaps(const Conv2DParams& p, const OutputPixel& first, const T* base, const T* padding,
              int64_t pixels, const TiledRow<T>& out) {
  const bool inside = first.InsideColumns(pixels);
  int64_t tap = 0;
  for (int64_t ky = 0; ky < p.kernel_h; ++ky) {
    const int64_t row = first.InputRow(ky), end = tap + p.kernel_w;
    const T* x = row < 0 ? padding : base + row * p.in_w * p.in_c;
    if (row < 0 || inside) {
      const int64_t step = row < 0 ? 0 : p.in_c;
      const int64_t column = first.InputColumn(0, 0), first_tap = tap;
      for (; tap < end; ++tap) {
        ListPointers(x + (column + (tap - first_tap) * p.dilation_w) * step, p.stride_w * step, pixels,
                     out.at(tap));
      }
      continue;
    }
    for (int64_t kx = 0; kx < p.kernel_w; ++kx, ++tap) {
      for (int64_t i = 0; i < pixels; ++i) {
        const int64_t column = first.InputColumn(i, kx);
        out.at(tap)[i] = column < 0 ? padding : x + column * p.in_c;
      }
    }
  }
}

// Pointers for `rows` output pixels from `first_row` on, as [ceil(rows / mr)][taps][mr]; the last tile is
// filled up with its last row. Each points to group_channels() elements of `group`, or to `padding` (as many
// elements).
template <typename T>
void FillIndirection(const Conv2DParams& p, const T* x, const T* padding, int64_t group, int64_t first_row,
                     int64_t rows, size_t mr, const T** out) {
  const T* base = x + group * p.group_channels();
  if (p.is_pointwise()) {
    ListPointers(base + first_row * p.in_c, p.in_c, rows, out);
    for (auto i = static_cast<size_t>(rows); i % mr != 0; ++i) out[i] = out[i - 1];
    return;
  }
  OutputPixel pixel(p, first_row);
  TiledRow<T> row(out, mr, static_cast<size_t>(p.taps()));
  for (int64_t left = rows; left > 0;) {
    const int64_t fitting = pixel.LeftInRow() < row.LeftInTile() ? pixel.LeftInRow() : row.LeftInTile();
    const int64_t pixels = fitting < left ? fitting : left;
    ListTaps(p, pixel, base, padding, pixels, row);
    left -= pixels;
    pixel.Next(pixels);
    row.Next(pixels);
  }
  row.FillTile();
}

// The pointers of so many rows, `step` elements apart, and those of their taps `tap_step`.
template <typename T>
void ListRuns(const T* first, int64_t step, int64_t taps, int64_t tap_step, int64_t rows, TiledRow<T>* out) {
  for (int64_t n = 0, done = 0; done < rows; done += n, out->Next(n)) {
    n = rows - done < out->LeftInTile() ? rows - done : out->LeftInTile();
    for (int64_t tap = 0; tap < taps; ++tap) {
      ListPointers(first + done * step + tap * tap_step, step, n, out->at(tap));
    }
  }
}

// As FillIndirection for filters whose rows are read as one tap of kernel_w * in_c channels, as
// neighbouring pixels are one run of memory: [ceil(rows / mr)][kernel_h][mr]. Only where groups and
// dilation_w are 1. Pixels with a tap left or right of the image are copied to `copies`, depth() elements for
// each row.
template <typename T>
void FillIndirectionOfRuns(const Conv2DParams& p, const T* x, const T* padding, int64_t first_row,
                           int64_t rows, size_t mr, const T** out, T* copies) {
  const int64_t run = p.kernel_w * p.in_c, row_step = p.dilation_h * p.in_w * p.in_c;
  OutputPixel pixel(p, first_row);
  TiledRow<T> row(out, mr, static_cast<size_t>(p.kernel_h));
  for (int64_t r = 0; r < rows;) {
    // Most pixels: their pointers are in equal steps.
    const int64_t interior = pixel.Interior(), pixels = interior < rows - r ? interior : rows - r;
    if (pixels > 0) {
      ListRuns(x + pixel.FirstInput() * p.in_c, p.stride_w * p.in_c, p.kernel_h, row_step, pixels, &row);
      pixel.Next(pixels);
      r += pixels;
      continue;
    }
    T* copy = copies + r * p.depth();
    int64_t tap = 0;
    if (pixel.InsideColumns(1)) {
      pixel.VisitTaps(
          [&](int64_t, int64_t input) { *row.at(tap++) = input < 0 ? padding : x + input * p.in_c; });
    } else {
      for (; tap < p.kernel_h; ++tap) *row.at(tap) = copy + tap * run;
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
class IndirectionScratch {
 public:
  IndirectionScratch(const Conv2DParams& p, const ConvTarget& target, int64_t padding_elements,
                     const GemmPartition& partition)
      : padding_elements_(static_cast<size_t>(padding_elements)),
        padding_bytes_(AlignUp(padding_elements_ * sizeof(T), kAlignment)),
        worker_bytes_(padding_bytes_ + AlignUp(static_cast<size_t>(partition.row_capacity * p.taps()) *
                                                   PointerBytes(target.features),
                                               kAlignment)) {}

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
