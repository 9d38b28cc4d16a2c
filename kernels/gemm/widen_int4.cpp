#include "kernels/gemm/widen_int4.h"

#include <cmath>

#include "kernels/base/int4.h"

namespace micrort {
namespace {

// A weight becomes weight * eighths / 8, with this many eighths where its group has the largest scale: no
// more keeps 8 weights within int8, and a multiple of 8 makes these groups exact.
constexpr int kEighths = 120;

float Largest(const Int4Grid& column, size_t groups) {
  float largest = column.scale(0);
  for (size_t i = 1; i < groups; ++i) {
    const float scale = column.scale(static_cast<int64_t>(i));
    largest = scale > largest ? scale : largest;
  }
  return largest;
}

}  // namespace

float WidenedScale(const Int4Grid& column, size_t groups) { return Largest(column, groups) / (kEighths / 8); }

void WidenInt4(const MatrixB& b, size_t j, size_t k, size_t n, int8_t* out) {
  const auto column = static_cast<int64_t>(j);
  const Int4Grid grid = b.grid.From(column * b.scale_stride);
  const float largest = Largest(grid, b.scale_stride == 0 ? 1 : static_cast<size_t>(b.scale_stride));
  int64_t group = -1;
  int eighths = 0, left = 0;  // left: what rounding has taken off so far, in eighths
  for (size_t i = 0; i < n; ++i) {
    const int64_t row = b.row(k + i), group_of_row = b.group == 0 ? 0 : row / b.group;
    if (group_of_row != group) {
      group = group_of_row;
      left = 0;
      eighths = static_cast<int>(std::nearbyint(grid.scale(group) / largest * float{kEighths}));
    }
    const int weight = ReadInt4(static_cast<const uint8_t*>(b.data), column * b.column_stride + row);
    left += weight * eighths;
    // Half up, of a number that is not negative.
    const int rounded = (left + 4 + 8 * 128) / 8 - 128;
    left -= 8 * rounded;
    out[i] = static_cast<int8_t>(rounded);
  }
}

}  // namespace micrort
