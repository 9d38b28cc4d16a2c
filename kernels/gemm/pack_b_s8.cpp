#include <cstring>

#include "kernels/gemm/pack_b.h"
#include "kernels/gemm/transposed_panels.h"

namespace micrort {
namespace {

// Rows whose elements of all columns of a panel stay in the first-level cache, and as many as sums of int8
// stay within int16; whole groups of every kr.
constexpr size_t kRows = 256;

bool IsAdjacent(const MatrixB& b) { return b.taps == nullptr && b.depth_stride == 1; }

int32_t SumOf(const int8_t* x, size_t n) {
  int32_t sum = 0;
  for (size_t first = 0; first < n; first += kRows) {
    const size_t end = n - first < kRows ? n : first + kRows;
    int16_t part = 0;
    for (size_t i = first; i < end; ++i) part = static_cast<int16_t>(part + x[i]);
    sum += part;
  }
  return sum;
}

// n <= kRows elements of a column from row k on, side by side: where they are, or in `gathered`.
const int8_t* Elements(const MatrixB& b, const int8_t* column, size_t k, size_t n, int8_t* gathered) {
  if (IsAdjacent(b)) return column + k;
  for (size_t i = 0; i < n; ++i) gathered[i] = column[b.row(k + i) * b.depth_stride];
  return gathered;
}

template <size_t kr>
void SpreadGroups(const int8_t* x, size_t groups, size_t step, int8_t* out) {
  for (size_t i = 0; i < groups; ++i) std::memcpy(out + i * step, x + i * kr, kr);
}

// Groups of kr elements of a column, `step` bytes apart, the last one of what is left.
void Spread(const int8_t* x, size_t n, size_t kr, size_t step, int8_t* out) {
  const size_t groups = n / kr;
  switch (kr) {
    case 1:
      SpreadGroups<1>(x, groups, step, out);
      break;
    case 2:
      SpreadGroups<2>(x, groups, step, out);
      break;
    case 4:
      SpreadGroups<4>(x, groups, step, out);
      break;
    case 8:
      SpreadGroups<8>(x, groups, step, out);
      break;
    default:
      for (size_t i = 0; i < groups; ++i) std::memcpy(out + i * step, x + i * kr, kr);
  }
  std::memcpy(out + groups * step, x + groups * kr, n - groups * kr);
}

}  // namespace

void PackBS8(const MatrixB& b, size_t depth, size_t columns, size_t nr, size_t kr, int8_t* out,
             int32_t* sums) {
  constexpr size_t kWord = TransposedPanels::kWord;
  const auto* data = static_cast<const int8_t*>(b.data);
  const TransposedPanels words(data, b.column_stride, kr == kWord && IsAdjacent(b), depth / kWord, columns,
                               nr);
  const size_t step = nr * kr;
  int8_t gathered[kRows];
  for (size_t first = 0; first < columns; first += nr) {
    const size_t exist = columns - first < nr ? columns - first : nr;
    const int8_t* panel = data + static_cast<int64_t>(first) * b.column_stride;
    size_t k = words.Pack(first, out) * kWord;
    for (size_t j = 0; j < exist; ++j) {
      sums[first + j] = SumOf(panel + static_cast<int64_t>(j) * b.column_stride, k);
    }
    out += k * nr;
    for (; k < depth; k += kRows) {
      const size_t n = depth - k < kRows ? depth - k : kRows;
      const size_t bytes = (n + kr - 1) / kr * step;
      std::memset(out, 0, bytes);
      for (size_t j = 0; j < exist; ++j) {
        const int8_t* column = Elements(b, panel + static_cast<int64_t>(j) * b.column_stride, k, n, gathered);
        Spread(column, n, kr, step, out + j * kr);
        sums[first + j] += SumOf(column, n);
      }
      out += bytes;
    }
  }
}

}  // namespace micrort
