#pragma once
// Dimensions of a tensor, outermost first, at most kMaxRank of them. Rank 0 is a scalar.

#include <cstdint>
#include <cstdio>

#include "kernels/base/checked_math.h"

namespace micrort {

constexpr int kMaxRank = 8;

struct Shape {
  int rank = 0;
  int64_t dims[kMaxRank] = {};

  Shape() = default;
  template <typename... D>
  static Shape Of(D... d) {
    Shape s;
    ((s.dims[s.rank++] = static_cast<int64_t>(d)), ...);
    return s;
  }

  int64_t& operator[](int i) { return dims[i]; }
  int64_t operator[](int i) const { return dims[i]; }
  bool operator==(const Shape& o) const {
    if (rank != o.rank) return false;
    for (int i = 0; i < rank; ++i) {
      if (dims[i] != o.dims[i]) return false;
    }
    return true;
  }
  bool operator!=(const Shape& o) const { return !(*this == o); }

  // Number of elements; 1 for a scalar, 0 if a dimension is 0. For validated shapes only.
  int64_t elements() const {
    int64_t n = 1;
    for (int i = 0; i < rank; ++i) n *= dims[i];
    return n;
  }
  // The same for untrusted dims: false if one is negative or the product times `element_bytes` is over 2^62.
  // A 0 counts as 1 in that product, so that the product of any choice of dimensions, a stride for example,
  // is in range.
  [[nodiscard]] bool CheckedElements(size_t element_bytes, int64_t* out) const {
    int64_t bytes = element_bytes == 0 ? 1 : static_cast<int64_t>(element_bytes);
    for (int i = 0; i < rank; ++i) {
      if (dims[i] < 0 || !CheckedMul(bytes, dims[i] == 0 ? 1 : dims[i], &bytes)) return false;
    }
    if (bytes > (int64_t{1} << 62)) return false;
    *out = elements();
    return true;
  }
  // Product of dims[begin..end).
  int64_t product(int begin, int end) const {
    int64_t n = 1;
    for (int i = begin; i < end; ++i) n *= dims[i];
    return n;
  }
};

// "1x3x224x224" for messages; -1 prints as "?"; a scalar prints as "scalar".
struct ShapeString {
  char text[kMaxRank * 12 + 8];
  explicit ShapeString(const Shape& s) {
    int n = std::snprintf(text, sizeof text, "%s", s.rank == 0 ? "scalar" : "");
    for (int i = 0; i < s.rank && n < static_cast<int>(sizeof text); ++i) {
      const char* x = i == 0 ? "" : "x";
      const size_t left = sizeof text - static_cast<size_t>(n);
      n += s.dims[i] < 0 ? std::snprintf(text + n, left, "%s?", x)
                         : std::snprintf(text + n, left, "%s%lld", x, static_cast<long long>(s.dims[i]));
    }
  }
  const char* c_str() const { return text; }
};

}  // namespace micrort
