#pragma once
// Neighbouring columns of a matrix side by side, as panels have them.

#include <cstddef>
#include <cstdint>

namespace micrort {

// Zeros where `exist` columns are not nr. Returns the end.
template <typename T>
T* InterleaveColumns(const T* columns, int64_t column_stride, int64_t depth_stride, size_t depth,
                     size_t exist, size_t nr, T* out) {
  for (size_t k = 0; k < depth; ++k, columns += depth_stride, out += nr) {
    for (size_t j = 0; j < exist; ++j) out[j] = columns[static_cast<int64_t>(j) * column_stride];
    for (size_t j = exist; j < nr; ++j) out[j] = 0;
  }
  return out;
}

}  // namespace micrort
