#include <cstring>

#include "kernels/base/part.h"
#include "kernels/gemm/pack_b.h"
#include "kernels/gemm/transposed_panels.h"
#include "kernels/gemm/widen_int4.h"

namespace micrort {

MICRORT_PART(WidenInt4);

namespace {

// Rows whose elements of all columns of a panel stay in the first-level cache, and few enough for sums of
// 16 bits; whole groups of every kr.
constexpr size_t kRows = 256;

bool IsInt4(const MatrixB& b) { return kHasInt4Layers && b.type == DType::kInt4; }

bool IsAdjacent(const MatrixB& b) { return !IsInt4(b) && b.taps == nullptr && b.depth_stride == 1; }

// The sum of n <= kRows elements. Four bytes at a time, which as unsigned ones add up in two halves of a
// word: vectors of any CPU, and of none.
int32_t SumOf(const int8_t* x, size_t n) {
  constexpr uint32_t kOffsets = 0x80808080, kEven = 0x00ff00ff;
  const size_t words = n / sizeof(uint32_t) * sizeof(uint32_t);
  uint32_t halves = 0;
  for (size_t i = 0; i < words; i += sizeof(uint32_t)) {
    uint32_t word;
    std::memcpy(&word, x + i, sizeof word);
    word ^= kOffsets;
    halves += (word & kEven) + (word >> 8 & kEven);
  }
  auto sum = static_cast<int32_t>((halves & 0xffff) + (halves >> 16)) - 128 * static_cast<int32_t>(words);
  for (size_t i = words; i < n; ++i) sum += x[i];
  return sum;
}

// n <= kRows elements of column j from row k on, side by side: where they are, or in `gathered`.
const int8_t* Elements(const MatrixB& b, size_t j, size_t k, size_t n, int8_t* gathered) {
  if (IsInt4(b)) {
    WidenInt4(b, j, k, n, gathered);
    return gathered;
  }
  const int8_t* column = static_cast<const int8_t*>(b.data) + static_cast<int64_t>(j) * b.column_stride;
  if (IsAdjacent(b)) return column + k;
  for (size_t i = 0; i < n; ++i) gathered[i] = column[b.row(k + i) * b.depth_stride];
  return gathered;
}

template <size_t kr>
void SpreadGroups(const int8_t* x, size_t groups, size_t step, int8_t* out) {
  for (size_t i = 0; i < groups; ++i) std::memcpy(out + i * step, x + i * kr, kr);
}

// By words of two groups: half the loads.
template <>
void SpreadGroups<2>(const int8_t* x, size_t groups, size_t step, int8_t* out) {
  size_t i = 0;
  for (; i + 2 <= groups; i += 2, out += 2 * step) {
    int8_t word[4];
    std::memcpy(word, x + i * 2, sizeof word);
    std::memcpy(out, word, 2);
    std::memcpy(out + step, word + 2, 2);
  }
  if (i < groups) std::memcpy(out, x + i * 2, 2);
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
  const TransposedPanels words(b.data, b.column_stride, kr == kWord && IsAdjacent(b), depth / kWord, columns,
                               nr);
  const size_t step = nr * kr;
  int8_t gathered[kRows];
  for (size_t first = 0; first < columns; first += nr) {
    const size_t exist = columns - first < nr ? columns - first : nr;
    const size_t transposed = words.Pack(first, out) * kWord;
    out += transposed * nr;
    for (size_t j = 0; j < exist; ++j) sums[first + j] = 0;
    for (size_t k = 0, n = 0; k < depth; k += n) {
      const bool done = k < transposed;
      n = (done ? transposed : depth) - k;
      if (n > kRows) n = kRows;
      const size_t bytes = done ? 0 : (n + kr - 1) / kr * step;
      std::memset(out, 0, bytes);
      for (size_t j = 0; j < exist; ++j) {
        const int8_t* column = Elements(b, first + j, k, n, gathered);
        if (!done) Spread(column, n, kr, step, out + j * kr);
        sums[first + j] += SumOf(column, n);
      }
      out += bytes;
    }
  }
}

}  // namespace micrort
