#pragma once
// Contract of the pooling micro-kernels: a row of windows over an NHWC image.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/rounding.h"
#include "kernels/base/span.h"

namespace micrort {

enum class PoolFunction { kMaxF32, kMaxS8, kMaxU8, kAverageF32, kAverageS8, kMaxF16, kAverageF16 };

// `count` windows side by side, each with the same rows x cols taps, all of them inside the input. Strides
// are in bytes. Every tap is `channels` contiguous elements.
struct PoolWindows {
  const void* first;  // the first tap of the first window
  size_t rows;        // 0 (or cols 0): the window is empty; its maximum is the lowest value, its average is 0
  size_t cols;
  ptrdiff_t row_stride;
  ptrdiff_t col_stride;
  size_t count;
  ptrdiff_t window_stride;
  size_t channels;
  void* out;
  ptrdiff_t out_stride;  // from window to window
  // Averages only.
  float divisor;           // AverageF32 and F16: sum / divisor, in float. The sum runs over the taps in order
  int32_t zero_point_sum;  // AverageS8: round_half_even((sum - zero_point_sum) * multiplier) +
                           // out_zero_point, saturated
  float multiplier;
  int32_t out_zero_point;
  // AverageS8, where it is kTflite: sum / divisor instead, halves away from zero; at most kMaxTfliteTaps
  // taps.
  Rounding rounding;
};

constexpr int64_t kMaxTfliteTaps = int64_t{1} << 15;

using PoolFn = void (*)(const PoolWindows& windows);

struct PoolKernel {
  PoolFunction function;
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  PoolFn run;
};

// Those of one function weakest first. All of one function give the same bits; a NaN tap is no maximum.
Span<const PoolKernel> PoolKernels();
// The strongest that `features` allow.
const PoolKernel& SelectPool(PoolFunction function, CpuFeatures features);

#define MICRORT_POOL(function, set) void Pool##function##_##set(const PoolWindows& windows);
#include "kernels/pool/pool.inc"
#undef MICRORT_POOL

}  // namespace micrort
