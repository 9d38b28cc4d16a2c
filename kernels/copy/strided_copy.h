#pragma once
// The one engine behind transposing, slicing, concatenating, padding, tiling and expanding: it copies an
// N-dimensional box of elements between two strided views.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/parallel.h"
#include "kernels/base/shape.h"
#include "kernels/base/span.h"
#include "kernels/copy/transpose_tile.h"

namespace micrort {

// Twice the rank of a tensor, because tiling needs a dimension for the repeats and one for the elements.
constexpr int kMaxCopyRank = 2 * kMaxRank;

// One dimension of the box. Strides are in bytes, between neighbours along the dimension; a source stride may
// be negative (reversed) or zero (broadcast). Destination elements must not overlap each other or the source.
struct CopyDim {
  int64_t size;
  int64_t src_stride;
  int64_t dst_stride;
};

// A copy in normal form: dimensions of size 1 dropped, neighbours merged where both views allow it,
// contiguous inner elements joined into blocks. Plain data; depends on no tensor's address, so it may be kept
// and run many times.
struct StridedCopy {
  int rank = 0;  // of `dims`; the innermost two are the rows and columns of a rectangle of blocks
  bool empty = false;
  bool transposed = false;  // the source is contiguous along the rows of the rectangle
  size_t block_bytes = 0;
  const TransposeTileKernel* tile_kernel = nullptr;  // for whole tiles of a transpose; may be null
  CopyDim dims[kMaxCopyRank + 2] = {};
};

// `dims`: outermost first, at most kMaxCopyRank; fastest when destination strides fall. Sizes are >= 0 and
// offsets fit in 63 bits. `features` matter to transposes only.
StridedCopy PlanCopy(size_t element_bytes, Span<const CopyDim> dims, CpuFeatures features = kCpuScalar);

// `src` and `dst` point to the first element of the box. The result does not depend on `parallel`.
void RunCopy(const StridedCopy& copy, const void* src, void* dst, const Parallel& parallel);

// The same with everything decided, from so many bytes into the source; nothing to do where source and
// destination share memory.
struct CopyCall {
  int64_t src_offset;
  StridedCopy copy;
};
void RunCopyCall(const CopyCall& call, const void* src, void* dst, const Parallel& parallel);

// Byte strides of a row-major tensor.
struct Strides {
  int64_t bytes[kMaxRank] = {};

  Strides(const Shape& shape, size_t element_bytes) {
    int64_t stride = static_cast<int64_t>(element_bytes);
    for (int i = shape.rank - 1; i >= 0; --i) {
      bytes[i] = stride;
      stride *= shape[i];
    }
  }
  int64_t operator[](int i) const { return bytes[i]; }
};

}  // namespace micrort
