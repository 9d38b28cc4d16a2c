#pragma once
// Contract of the pooling micro-kernels: a row of windows over an NHWC image.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/rounding.h"
#include "kernels/base/span.h"

namespace micrort {

enum class PoolFunction {
  kMaxF32,
  kMaxS8,
  kMaxU8,
  kAverageF32,
  kAverageS8,
  kMaxF16,
  kAverageF16,
  kMaxS16,
  kAverageS16
};

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
  // AverageS8, where it is kTflite, and AverageS16, where it always is: sum / divisor instead, halves away
  // from zero; at most kMaxTfliteTaps taps.
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
// For kernels/base/kernel_registry.h.
constexpr bool SameFunction(const PoolKernel& a, const PoolKernel& b) { return a.function == b.function; }

// Those of one function weakest first. All of one function give the same bits; a NaN tap is no maximum. A
// part each (kernels/base/part.h).
Span<const PoolKernel> PoolF32Kernels();
Span<const PoolKernel> PoolF16Kernels();
Span<const PoolKernel> PoolS8Kernels();
Span<const PoolKernel> PoolU8Kernels();
Span<const PoolKernel> PoolS16Kernels();

// Those of the function's elements; empty where the program has not this part.
Span<const PoolKernel> PoolKernels(PoolFunction function);
// The strongest that `features` allow; null where the program has none.
const PoolKernel* SelectPool(PoolFunction function, CpuFeatures features);

#define MICRORT_DECLARE_POOL(function, set) void Pool##function##_##set(const PoolWindows& windows);
#define MICRORT_POOL_F16 MICRORT_DECLARE_POOL
#include "kernels/pool/pool_f16.inc"
#undef MICRORT_POOL_F16
#define MICRORT_POOL_F32 MICRORT_DECLARE_POOL
#include "kernels/pool/pool_f32.inc"
#undef MICRORT_POOL_F32
#define MICRORT_POOL_S8 MICRORT_DECLARE_POOL
#include "kernels/pool/pool_s8.inc"
#undef MICRORT_POOL_S8
#define MICRORT_POOL_S16 MICRORT_DECLARE_POOL
#include "kernels/pool/pool_s16.inc"
#undef MICRORT_POOL_S16
#define MICRORT_POOL_U8 MICRORT_DECLARE_POOL
#include "kernels/pool/pool_u8.inc"
#undef MICRORT_POOL_U8
#undef MICRORT_DECLARE_POOL

// A row of these lists.
#define MICRORT_POOL_ROW(function, set)                                          \
  MICRORT_VARIANT(set, {PoolFunction::k##function, #function "_" #set, isa::set, \
                        KernelId::pool_##function##_##set, MICRORT_RUN(set, Pool##function##_##set)})

}  // namespace micrort
