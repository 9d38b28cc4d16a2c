#pragma once
// Rows of keys and values over a vector type F of eight lanes (kernels/base/simd/vec8.h): eight numbers, or
// the first n with zeros behind them. Rows of int8 give their integers; their scales (cache_rows.h) are
// factors of what is computed with them.

#include <cstddef>
#include <cstdint>

#include "kernels/base/simd/vec8.h"

namespace micrort {

template <typename F>
struct RowOfFloats {
  using Element = float;
  static constexpr bool kScaled = false;

  static F Load(const float* x) { return F::Load(x); }
  static F LoadPartial(const float* x, size_t n) { return F::LoadPartial(x, n); }
};

template <typename F>
struct RowOfHalves {
  using Element = uint16_t;
  static constexpr bool kScaled = false;

  static F Load(const uint16_t* x) { return F::LoadHalf(x); }
  static F LoadPartial(const uint16_t* x, size_t n) {
    uint16_t eight[8] = {};
    __builtin_memcpy(eight, x, n * sizeof *x);
    return F::LoadHalf(eight);
  }
};

template <typename F>
struct RowOfInt8 {
  using Element = int8_t;
  static constexpr bool kScaled = true;

  static F Load(const int8_t* x) { return ToFloat(F::Int::Load(x)); }
  static F LoadPartial(const int8_t* x, size_t n) { return ToFloat(F::Int::LoadPartial(x, n)); }
};

// A vector of numbers, or the first n of eight with zeros behind them. Row: RowOfFloats and its like.
template <typename Row, bool kAll>
inline auto LoadEight(const typename Row::Element* x, size_t n) {
  if constexpr (kAll) {
    return Row::Load(x);
  } else {
    return Row::LoadPartial(x, n);
  }
}

// Rows as floats, one after another. V: a vector of as many lanes or more.
template <typename F, typename V, template <typename> class RowOf>
inline void ReadBlock(const typename RowOf<F>::Element* rows, int64_t stride, int64_t count, int64_t width,
                      float* y) {
  constexpr int64_t kLanes = sizeof(V) / sizeof(float);
  for (int64_t s = 0; s < count; ++s, rows += stride, y += width) {
    int64_t at = 0;
    for (; at + kLanes <= width; at += kLanes) RowOf<V>::Load(rows + at).Store(y + at);
    for (; at + 8 <= width; at += 8) RowOf<F>::Load(rows + at).Store(y + at);
    const auto left = static_cast<size_t>(width - at);
    if (left != 0) RowOf<F>::LoadPartial(rows + at, left).StorePartial(y + at, left);
  }
}

// Scales of rows, each behind the `width` bytes of its row.
template <typename F>
inline void ReadScales(const int8_t* rows, int64_t stride, int64_t count, int64_t width, float* scales) {
  for (int64_t s = 0; s < count; ++s) __builtin_memcpy(scales + s, rows + s * stride + width, sizeof *scales);
}

// Rows of keys or values that come next. They are fetched while others are computed with: rows of one head
// lie apart, and are read several at a time, which processors do not take for a stream.
template <typename F>
struct AttendFewAhead {
  const uint8_t* rows;
  int64_t stride, bytes;  // from row to row; of a row
  int64_t count;

  template <typename Element>
  AttendFewAhead(const Element* all, int64_t first, int64_t elements, int64_t width, int64_t rows_left)
      : rows(reinterpret_cast<const uint8_t*>(all + first * elements)),
        stride(elements * static_cast<int64_t>(sizeof(Element))),
        bytes(width * static_cast<int64_t>(sizeof(Element))),
        count(rows_left) {}

  // Rows [s, s + n) of them, into the second-level cache: the first one is full of those in use.
  void Fetch(int64_t s, int64_t n) const {
    const int64_t end = s + n < count ? s + n : count;
    for (; s < end; ++s) {
      const uint8_t* const row = rows + s * stride;
      for (int64_t at = 0; at < bytes; at += 64) __builtin_prefetch(row + at, 0, 2);
    }
  }
};

}  // namespace micrort
