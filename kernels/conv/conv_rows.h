#pragma once
// Rows of a convolution's images: which an output row reads, how many bytes they have, and stripes of them as
// layers of their own.

#include "kernels/base/checked_math.h"
#include "kernels/base/dtype.h"
#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

inline int64_t ClampRow(int64_t x, int64_t lo, int64_t hi) { return x < lo ? lo : x > hi ? hi : x; }

inline int64_t InputRowBytes(const Conv2DParams& p) {
  return p.in_w * p.in_c * static_cast<int64_t>(SizeOf(p.types.x));
}
inline int64_t OutputRowBytes(const Conv2DParams& p) {
  return p.out_w * p.out_c * static_cast<int64_t>(SizeOf(p.types.y));
}

// The input row under the first tap of an output row, and the one behind that under its last tap; the nearest
// inside the image.
inline int64_t InputBegin(const Conv2DParams& p, int64_t row) {
  return ClampRow(row * p.stride_h - p.pad_top, 0, p.in_h);
}
inline int64_t InputEnd(const Conv2DParams& p, int64_t row) {
  return ClampRow(row * p.stride_h - p.pad_top + (p.kernel_h - 1) * p.dilation_h + 1, 0, p.in_h);
}

// Output rows [first, end) as a layer whose input begins with InputBegin(p, first).
inline Conv2DParams RowsOf(const Conv2DParams& p, int64_t first, int64_t end) {
  Conv2DParams rows = p;
  const int64_t begin = InputBegin(p, first);
  rows.in_h = InputEnd(p, end - 1) - begin;
  rows.out_h = end - first;
  rows.pad_top = p.pad_top - first * p.stride_h + begin;
  return rows;
}

// A block of scratch whose neighbour is aligned, too.
inline uint64_t AlignedBlock(uint64_t bytes) { return CeilDiv<uint64_t>(bytes, kAlignment) * kAlignment; }

inline const uint8_t* BytesAt(const void* data, int64_t offset) {
  return static_cast<const uint8_t*>(data) + offset;
}
inline uint8_t* BytesAt(void* data, int64_t offset) { return static_cast<uint8_t*>(data) + offset; }

}  // namespace micrort
