#pragma once
// Rows of a cache of keys and values that are narrower than the floats that they stand for: halves, or int8
// with the row's scale, a float, behind them. A part (kernels/base/part.h) of programs that append to caches.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/dtype.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/parallel.h"

namespace micrort {

// Without a heap nothing is kept between runs.
#ifdef MICRORT_NO_HEAP
constexpr bool kHasNarrowCaches = false;
#else
constexpr bool kHasNarrowCaches = true;
#endif

// Caches of attention that looks back no further than a window, and the windows themselves.
constexpr bool kHasRings = kHasNarrowCaches;

// Scores of attention that are capped, and sinks of its softmax.
constexpr bool kHasSoftcaps = kHasNarrowCaches;

constexpr int64_t kCacheScaleBytes = sizeof(float);

constexpr bool IsCacheType(DType type) {
  return type == DType::kFloat32 || type == DType::kFloat16 || type == DType::kInt8;
}
// Elements of `type` beside the numbers of a row.
constexpr int64_t CacheScaleElements(DType type) { return type == DType::kInt8 ? kCacheScaleBytes : 0; }

struct CacheRows {
  int64_t width;  // floats of a row
  KernelId convert, min_max;
  DType type;  // float16 or int8

  int64_t elements() const { return width + CacheScaleElements(type); }
};

CacheRows PlanCacheRows(DType type, int64_t width, CpuFeatures features);

// Rows one after another. Of int8 a row is its floats / scale, rounded to nearest even; its scale is a 127th
// of its largest magnitude, or 1 where that is no normal number. The same bits by all instruction sets.
void WriteCacheRows(const CacheRows& plan, const float* x, int64_t count, void* rows,
                    const Parallel& parallel);
// From rows that lie `stride` elements apart to floats one after another.
void ReadCacheRows(const CacheRows& plan, const void* rows, int64_t stride, int64_t count, float* y);

}  // namespace micrort
