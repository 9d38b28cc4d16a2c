#pragma once
// Taps of a tile of rows under which a row has an element of the image.

#include <cstddef>

#include "kernels/conv/conv2d_algorithm.h"
#include "kernels/implicit_gemm/pixel_runs.h"

namespace micrort {

// Whether tiles of this layer leave out taps: looking for them costs more than taps side by side would save.
inline bool LeavesOutTaps(const Conv2DParams& p) {
  return (p.dilation_h > 1 || p.dilation_w > 1) && !p.transposed && !ReadsRuns(p);
}

// The active taps of pointers [taps][mr] as FillIndirection lists them. One at least is active, so that
// outputs whose filters lie in the padding are written.
template <typename T>
class ActiveTaps {
 public:
  ActiveTaps(const T* const* pointers, size_t taps, size_t mr, const T* padding)
      : pointers_(pointers), padding_(padding), mr_(mr), end_(taps) {
    while (first_ + 1 < end_ && IsPadding(first_)) ++first_;
    while (end_ > first_ + 1 && IsPadding(end_ - 1)) --end_;
  }

  size_t first() const { return first_; }
  size_t end() const { return end_; }
  // The first active one from `tap` on; past all taps if there is none.
  size_t Next(size_t tap) const {
    if (tap <= first_) return first_;
    while (tap < end_ && IsPadding(tap)) ++tap;
    return tap < end_ ? tap : static_cast<size_t>(-1);
  }
  // How many are active from this one on, before `end`.
  size_t RunFrom(size_t tap, size_t end) const {
    size_t next = tap + 1;
    while (next < end && next < end_ && !IsPadding(next)) ++next;
    return next - tap;
  }

 private:
  bool IsPadding(size_t tap) const {
    for (size_t i = 0; i < mr_; ++i) {
      if (pointers_[tap * mr_ + i] != padding_) return false;
    }
    return true;
  }

  const T* const* pointers_;
  const T* padding_;
  size_t mr_, first_ = 0, end_;
};

}  // namespace micrort
