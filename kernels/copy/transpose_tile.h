#pragma once
// Contract of the transposing micro-kernels: a square tile of small elements.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

// dst[r][c] = src[c][r] for r, c < tile. Elements are contiguous along the second index of both; strides, in
// bytes, are those of the first.
using TransposeTileFn = void (*)(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst,
                                 ptrdiff_t dst_stride);

struct TransposeTileKernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  size_t element_bytes;
  size_t tile;
  TransposeTileFn run;
};
// For kernels/base/kernel_registry.h.
constexpr bool SameFunction(const TransposeTileKernel& a, const TransposeTileKernel& b) {
  return a.element_bytes == b.element_bytes;
}

// Those of one element size weakest first.
Span<const TransposeTileKernel> TransposeTileKernels();
// The strongest for elements of this size that `features` allow; null for sizes without rows.
const TransposeTileKernel* SelectTransposeTile(size_t element_bytes, CpuFeatures features);

#define MICRORT_TRANSPOSE_TILE(name, set, element_bytes, tile) \
  void TransposeTile_##name(const uint8_t* src, ptrdiff_t src_stride, uint8_t* dst, ptrdiff_t dst_stride);
#include "kernels/copy/transpose_tile.inc"
#undef MICRORT_TRANSPOSE_TILE

}  // namespace micrort
