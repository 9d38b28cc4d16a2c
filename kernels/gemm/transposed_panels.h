#pragma once
// Panels of whole columns of words of four bytes, transposed a tile at a time.

#include <cstddef>
#include <cstdint>

#include "kernels/copy/transpose_tile.h"

namespace micrort {

class TransposedPanels {
 public:
  static constexpr size_t kWord = 4;

  // `columns` columns of `words` words each, whose words lie side by side if `adjacent`. Rows of fewer words
  // and columns than fill tiles and panels are left out.
  TransposedPanels(const void* data, int64_t column_bytes, bool adjacent, size_t words, size_t columns,
                   size_t nr)
      // For the CPU that packs, which need not be the one that computes.
      : kernel_(*SelectTransposeTile(kWord, DetectCpuFeatures())),
        data_(static_cast<const uint8_t*>(data)),
        stride_(static_cast<ptrdiff_t>(column_bytes)),
        nr_(nr) {
    const bool fits = adjacent && nr % kernel_.tile == 0;
    words_ = fits ? words / kernel_.tile * kernel_.tile : 0;
    columns_ = fits ? columns / nr * nr : 0;
  }

  // Writes [words][nr] of the panel that begins with this column. Returns how many words of each column that
  // are.
  size_t Pack(size_t first, void* out) const {
    if (first >= columns_) return 0;
    const size_t tile = kernel_.tile;
    const uint8_t* columns = data_ + static_cast<ptrdiff_t>(first) * stride_;
    for (size_t k = 0; k < words_; k += tile) {
      for (size_t j = 0; j < nr_; j += tile) {
        kernel_.run(columns + static_cast<ptrdiff_t>(j) * stride_ + k * kWord, stride_,
                    static_cast<uint8_t*>(out) + (k * nr_ + j) * kWord, static_cast<ptrdiff_t>(nr_ * kWord));
      }
    }
    return words_;
  }

 private:
  const TransposeTileKernel& kernel_;
  const uint8_t* data_;
  const ptrdiff_t stride_;
  const size_t nr_;
  size_t words_, columns_;
};

}  // namespace micrort
