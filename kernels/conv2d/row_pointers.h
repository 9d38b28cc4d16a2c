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
    const int64_t first_x = x_ * p_.stride_w - p_.pad_left;
    const bool inside =
        !p_.transposed && first_x >= 0 && first_x + (p_.kernel_w - 1) * p_.dilation_w < p_.in_w;
    for (int64_t ky = 0; ky < p_.kernel_h; ++ky) {
      const int64_t y = Input(y_, ky, p_.stride_h, p_.pad_top, p_.dilation_h);
      if (y < 0 || y >= p_.in_h) {
        visit(p_.kernel_w, int64_t{-1});
        continue;
      }
      const int64_t row = (image_ * p_.in_h + y) * p_.in_w;
      if (inside) {
        visit(p_.kernel_w, row + first_x);
        continue;
      }
      for (int64_t kx = 0; kx < p_.kernel_w; ++kx) {
        const int64_t x = Input(x_, kx, p_.stride_w, p_.pad_left, p_.dilation_w);
        visit(int64_t{1}, x < 0 || x >= p_.in_w ? -1 : row + x);
      }
    }
  }
  void Next() {
    if (++x_ < p_.out_w) return;
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

// Pointers for `rows` output pixels from `first_row` on, as [ceil(rows / mr)][taps][mr]; the last tile is
// filled up with its last row. Each points to group_channels() elements of `group`, or to `padding` (as many
// elements).
template <typename T>
void GatherRowPointers(const Conv2DParams& p, const T* x, const T* padding, int64_t group, int64_t first_row,
                       int64_t rows, size_t mr, const T** out) {
  const T* base = x + group * p.group_channels();
  const auto taps = static_cast<size_t>(p.taps());
  const auto count = static_cast<size_t>(rows);
  OutputPixel pixel(p, first_row);
  for (size_t r = 0; r < count; ++r, pixel.Next()) {
    const T** tile = out + r / mr * mr * taps + r % mr;
    pixel.VisitTaps([&](int64_t n, int64_t input) {
      const T* pointer = input < 0 ? padding : base + input * p.in_c;
      const int64_t step = input < 0 ? 0 : p.dilation_w * p.in_c;
      for (int64_t i = 0; i < n; ++i, tile += mr, pointer += step) *tile = pointer;
    });
  }
  if (count % mr == 0) return;
  const T** last = out + count / mr * mr * taps;
  for (size_t tap = 0; tap < taps; ++tap) {
    for (size_t i = count % mr; i < mr; ++i) last[tap * mr + i] = last[tap * mr + count % mr - 1];
  }
}

// Scratch of algorithms that use such pointers. Each worker has elements of T that stand for the padding, and
// behind them the pointers of one row block.
template <typename T>
class PointerScratch {
 public:
  PointerScratch(const Conv2DParams& p, int64_t padding_elements, const GemmGrid& grid)
      : padding_elements_(static_cast<size_t>(padding_elements)),
        padding_bytes_(AlignUp(padding_elements_ * sizeof(T), kAlignment)),
        worker_bytes_(padding_bytes_ +
                      AlignUp(static_cast<size_t>(grid.row_block * p.taps()) * sizeof(T*), kAlignment)) {}

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
