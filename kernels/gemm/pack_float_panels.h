#pragma once
// The loop that packs panels of floats from elements that `Read` makes floats of.

#include "kernels/gemm/pack_b.h"

namespace micrort {

// How many rows of the panel whose first column is `first` are packed already: none.
struct NothingPacked {
  size_t operator()(size_t, float*) const { return 0; }
};

template <typename Read, typename Begin = NothingPacked>
void PackFloatPanels(const MatrixB& b, size_t depth, size_t columns, size_t nr, float* out,
                     const Begin& begin = {}) {
  const Read read;
  for (size_t first = 0; first < columns; first += nr) {
    const size_t exist = columns - first < nr ? columns - first : nr;
    const auto column = static_cast<int64_t>(first);
    const auto* panel = static_cast<const typename Read::Element*>(b.data) + column * b.column_stride;
    const float* scales = b.scales == nullptr ? nullptr : b.scales + column * b.scale_stride;
    size_t k = begin(first, out);
    out += k * nr;
    for (; k < depth; ++k, out += nr) {
      const auto* row = panel + b.row(k) * b.depth_stride;
      for (size_t j = 0; j < exist; ++j) {
        const auto at = static_cast<int64_t>(j);
        out[j] = read(row[at * b.column_stride], scales == nullptr ? 1.0f : scales[at * b.scale_stride]);
      }
      for (size_t j = exist; j < nr; ++j) out[j] = 0.0f;
    }
  }
}

}  // namespace micrort
