#pragma once
// Contract of the micro-kernels that multiply int16 by int8 and add up in 64 bits.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

// acc[j] += sum of x[k] * w[j * stride + k], 0 <= k < depth, 0 <= j < columns
using DotS16Fn = void (*)(const int16_t* x, const int8_t* w, size_t stride, size_t depth, size_t columns,
                          int64_t* acc);

// The same of two rows x by the same columns. `is_first`: sums are written to acc, whatever it holds.
struct DotPairS16 {
  const int16_t* x[2];
  const int8_t* w;
  size_t stride, depth, columns;
  int64_t* acc[2];
  bool is_first;
};
using DotPairS16Fn = void (*)(const DotPairS16& rows);

// acc[j] += sum of taps[t].x[j] * taps[t].w[j] over all taps, 0 <= j < n
struct TapS16 {
  const int16_t* x;
  const int8_t* w;
};
constexpr size_t kMaxTapsS16 = 16;  // at a time: their sums have 32 bits
using TapsS16Fn = void (*)(const TapS16* taps, size_t count, size_t n, int64_t* acc);

struct DotS16Kernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  DotS16Fn dot;
  DotPairS16Fn dot_pair;
  TapsS16Fn taps;
};

// Weakest first. All give the same bits.
Span<const DotS16Kernel> DotS16Kernels();

#define MICRORT_DOT_S16(name, set)                                                                   \
  void DotS16_##name(const int16_t* x, const int8_t* w, size_t stride, size_t depth, size_t columns, \
                     int64_t* acc);                                                                  \
  void DotPairS16_##name(const DotPairS16& rows);                                                    \
  void TapsS16_##name(const TapS16* taps, size_t count, size_t n, int64_t* acc);
#include "kernels/layer_s16/dot_s16.inc"
#undef MICRORT_DOT_S16

}  // namespace micrort
